// SPDX-License-Identifier: BSD-3-Clause
/* target.c - puts and gets on the process that owns the area: what is refused. */

#include "bsplib/transfer/target.h"

#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/engine.h"
#include "bsplib/transfer/address.h"

void bspi_refuse_record(int from, const struct bspi_rec *rec, size_t nbytes, const char *call)
{
	const struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];
	int64_t site = bspi_site_of(rec);
	enum bspi_kind kind = bspi_kind_of(rec->what);
	uint32_t step = kind == BSPI_GET || kind == BSPI_GET_PART || kind == BSPI_COMING ?
		bspi.step : bspi_engine.arriving->step;

	if (!s->base)
		bspi_fail_of(from, step, call, site,
			     "process %d has registered NULL for this area", bspi.me);
	bspi_fail_of(from, step, call, site,
		     "offset %llu + %zu bytes is beyond the %zu byte%s registered on process %d",
		     (unsigned long long)bspi_offset_of(rec), nbytes, s->nbytes,
		     bspi_plural(s->nbytes), bspi.me);
}

void bspi_refuse_late_put(const struct bspi_origin *origin, const struct bspi_slot *s, bool hp)
{
	bspi_fail_of(origin->from, origin->step, bspi_put_name(hp), origin->site,
		     "is one put more to %s of process %d than its bsp_read in superstep %u at "
		     "%s announced",
		     bspi_area_text(s), bspi.me, s->read_step,
		     bspi_site_text(s->read_site));
}
