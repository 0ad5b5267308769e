// SPDX-License-Identifier: GPL-2.0-only
/* vm_flags_clear.c - compiles if a function changes the flags of an area of memory. */

#include <linux/mm.h>

void flags_probe(struct vm_area_struct *vma);

void flags_probe(struct vm_area_struct *vma)
{
	vm_flags_clear(vma, VM_MAYWRITE);
}
