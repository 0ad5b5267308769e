/* SPDX-License-Identifier: BSD-3-Clause */
/* By default recordings of all processes together have up to 8 GiB, and each up to 64 MiB. */
#include "../lib/tap.h"

#include "bsplib/core/state.h"
#include "bsplib/observer/recorder.h"

static const uint64_t MIB = 1 << 20;

static uint64_t limit_of(int nprocs, int64_t setting)
{
	bspi.nprocs = nprocs;
	bspi.env.record_limit = setting;
	return bspi_recorder_limit();
}

int main(void)
{
	is_int(64 * MIB, limit_of(1, -1), "one process");
	is_int(64 * MIB, limit_of(128, -1), "128 processes");
	is_int(8 * MIB, limit_of(1024, -1), "1024 processes");
	is_int(MIB / 2, limit_of(16384, -1), "16384 processes");
	is_int(65536, limit_of(1, 65536), "less, as the user says");
	is_int(512 * MIB, limit_of(16384, 512 * (int64_t)MIB), "more, as the user says");
	return done_testing();
}
