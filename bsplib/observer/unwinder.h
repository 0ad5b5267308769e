/* SPDX-License-Identifier: BSD-3-Clause */
/* unwinder.h - the frames of functions that have not returned, by the unwinder that C++ uses. */
#ifndef BSPI_UNWINDER_H
#define BSPI_UNWINDER_H

#include <stdbool.h>
#include <unwind.h>

/* How the unwinder of the system is called. */
struct bspi_unwinder {
	_Unwind_Reason_Code (*each)(_Unwind_Trace_Fn see, void *arg);
	_Unwind_Word (*stack_pointer)(struct _Unwind_Context *c);
	_Unwind_Ptr (*function)(struct _Unwind_Context *c);
	_Unwind_Ptr (*instruction)(struct _Unwind_Context *c);
	/* private: */
	void *library;
};

/*
 * It is loaded, so that programs that ask for no frames do without. False: there is none, as with
 * musl or in a program that is linked statically.
 */
bool bspi_unwinder_open(struct bspi_unwinder *u);
void bspi_unwinder_close(struct bspi_unwinder *u);

#endif
