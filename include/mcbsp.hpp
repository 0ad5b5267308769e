/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp.hpp - another name of bsp.hpp. */
#include <bsp.hpp>
