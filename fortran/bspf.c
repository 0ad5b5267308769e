// SPDX-License-Identifier: BSD-3-Clause
/* bspf.c - the calls of bsp.h as module bsp makes them: areas with their shape become addresses. */

#include "fortran/bspf.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Areas --------------------------------------------------------------------------- */

/* An array without elements is, and so is one that comes without its last extent: a(*). */
static bool is_contiguous(const CFI_cdesc_t *d)
{
	CFI_index_t dense = (CFI_index_t)d->elem_len;
	bool is = true;

	for (int i = 0; i < d->rank; i++) {
		if (d->dim[i].extent == 0)
			return true;
		if (d->dim[i].extent != 1 && d->dim[i].sm != dense)
			is = false;
		dense *= d->dim[i].extent;
	}
	return is;
}

/*
 * Bytes of an array. SIZE_MAX if that is not known: of one without its last extent; of a scalar,
 * as it may be the element at which a part of an array begins.
 */
static size_t bytes_of(const CFI_cdesc_t *d)
{
	size_t nbytes = d->elem_len;

	if (d->rank == 0 || d->dim[d->rank - 1].extent < 0)
		return SIZE_MAX;
	for (int i = 0; i < d->rank; i++)
		nbytes *= (size_t)d->dim[i].extent;
	return nbytes;
}

void *bspf_area(const char *site, const char *call, const char *name, const CFI_cdesc_t *d)
{
	char text[256];

	if (is_contiguous(d))
		return d->base_addr;
	snprintf(text, sizeof(text),
		 "%s is a section that is not contiguous; use a contiguous one, or a copy", name);
	bsp_refuse_at(site, call, text);
}

void *bspf_bytes(const char *site, const char *call, const char *name, const CFI_cdesc_t *d,
		 size_t nbytes)
{
	size_t has = bytes_of(d);
	char text[256];

	if (nbytes == 0 || nbytes > SIZE_MAX / 2)	/* none, or negative */
		return d->base_addr;
	if (has < nbytes) {
		snprintf(text, sizeof(text), "%zu bytes are more than the %zu of %s", nbytes, has,
			 name);
		bsp_refuse_at(site, call, text);
	}
	return bspf_area(site, call, name, d);
}

/* ---- Starting and ending ---------------------------------------------------------------- */

/* gfortran's library writes what the buffer of a unit has, with NULL that of each unit. */
void _gfortran_flush_i4(const int32_t *unit);

void bspinit_(void (*startproc)(void))
{
	bspf_find_lines();
	bsp_init_at(SITE, startproc, 0, NULL);
}

/* Copies of a process would write what it has not written yet, too. */
void bspf_begin(int maxprocs)
{
	bspf_find_lines();
	_gfortran_flush_i4(NULL);
	bsp_begin_at(SITE, maxprocs < 0 ? 0 : (unsigned int)maxprocs);
}

void bspf_end(void)
{
	_gfortran_flush_i4(NULL);
	bsp_end_at(SITE);
}

void bspf_abort(const CFI_cdesc_t *err_string)
{
	const char *text = err_string->base_addr;
	size_t len = err_string->elem_len;
	char copy[1024];

	while (len > 0 && text[len - 1] == ' ')
		len--;
	snprintf(copy, sizeof(copy), "%.*s", len < sizeof(copy) ? (int)len : (int)sizeof(copy),
		 text);
	_gfortran_flush_i4(NULL);
	bsp_refuse_at(SITE, "bsp_abort", copy);
}

int bspf_nprocs(void)
{
	return (int)bsp_nprocs();
}

int bspf_pid(void)
{
	return (int)bsp_pid_at(SITE);
}

double bspf_time(void)
{
	return bsp_time_at(SITE);
}

double bspf_dtime(void)
{
	return bsp_dtime();
}

double bspf_cputime(void)
{
	return bsp_cputime();
}

void bspf_sync(void)
{
	bsp_sync_at(SITE);
}

/* ---- Registration --------------------------------------------------------------------- */

static void push_reg(const char *site, const CFI_cdesc_t *ident, size_t size)
{
	bsp_push_reg_at(site, bspf_bytes(site, "bsp_push_reg", "ident", ident, size), size);
}

void bspf_push_reg(const CFI_cdesc_t *ident, int size)
{
	push_reg(SITE, ident, size);
}

void bspf_push_reg8(const CFI_cdesc_t *ident, int64_t size)
{
	push_reg(SITE, ident, size);
}

void bspf_pop_reg(const CFI_cdesc_t *ident)
{
	bsp_pop_reg_at(SITE, bspf_area(SITE, "bsp_pop_reg", "ident", ident));
}

/* ---- Transfers ------------------------------------------------------------------------- */

static void drma_put(const char *site, int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
		     size_t offset, size_t nbytes)
{
	bsp_put_at(site, (unsigned int)pid, bspf_bytes(site, "bsp_put", "src", src, nbytes),
		   dst->base_addr, offset, nbytes);
}

void bspf_put(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int offset, int nbytes)
{
	drma_put(SITE, pid, src, dst, offset, nbytes);
}

void bspf_put8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t offset,
	       int64_t nbytes)
{
	drma_put(SITE, pid, src, dst, offset, nbytes);
}

static void drma_hpput(const char *site, int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst,
		       size_t offset, size_t nbytes)
{
	bsp_hpput_at(site, (unsigned int)pid, bspf_bytes(site, "bsp_hpput", "src", src, nbytes),
		     dst->base_addr, offset, nbytes);
}

void bspf_hpput(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int offset, int nbytes)
{
	drma_hpput(SITE, pid, src, dst, offset, nbytes);
}

void bspf_hpput8(int pid, const CFI_cdesc_t *src, const CFI_cdesc_t *dst, int64_t offset,
		 int64_t nbytes)
{
	drma_hpput(SITE, pid, src, dst, offset, nbytes);
}

static void drma_get(const char *site, int pid, const CFI_cdesc_t *src, size_t offset,
		     const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_get_at(site, (unsigned int)pid, src->base_addr, offset,
		   bspf_bytes(site, "bsp_get", "dst", dst, nbytes), nbytes);
}

void bspf_get(int pid, const CFI_cdesc_t *src, int offset, const CFI_cdesc_t *dst, int nbytes)
{
	drma_get(SITE, pid, src, offset, dst, nbytes);
}

void bspf_get8(int pid, const CFI_cdesc_t *src, int64_t offset, const CFI_cdesc_t *dst,
	       int64_t nbytes)
{
	drma_get(SITE, pid, src, offset, dst, nbytes);
}

static void drma_hpget(const char *site, int pid, const CFI_cdesc_t *src, size_t offset,
		       const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_hpget_at(site, (unsigned int)pid, src->base_addr, offset,
		     bspf_bytes(site, "bsp_hpget", "dst", dst, nbytes), nbytes);
}

void bspf_hpget(int pid, const CFI_cdesc_t *src, int offset, const CFI_cdesc_t *dst, int nbytes)
{
	drma_hpget(SITE, pid, src, offset, dst, nbytes);
}

void bspf_hpget8(int pid, const CFI_cdesc_t *src, int64_t offset, const CFI_cdesc_t *dst,
		 int64_t nbytes)
{
	drma_hpget(SITE, pid, src, offset, dst, nbytes);
}

static void drma_direct_get(const char *site, int pid, const CFI_cdesc_t *src, size_t offset,
			    const CFI_cdesc_t *dst, size_t nbytes)
{
	bsp_direct_get_at(site, (unsigned int)pid, src->base_addr, offset,
			  bspf_bytes(site, "bsp_direct_get", "dst", dst, nbytes), nbytes);
}

void bspf_direct_get(int pid, const CFI_cdesc_t *src, int offset, const CFI_cdesc_t *dst,
		     int nbytes)
{
	drma_direct_get(SITE, pid, src, offset, dst, nbytes);
}

void bspf_direct_get8(int pid, const CFI_cdesc_t *src, int64_t offset, const CFI_cdesc_t *dst,
		      int64_t nbytes)
{
	drma_direct_get(SITE, pid, src, offset, dst, nbytes);
}

/* ---- Messages --------------------------------------------------------------------------- */

static void message_send(const char *site, int pid, const CFI_cdesc_t *tag,
			 const CFI_cdesc_t *payload, size_t nbytes)
{
	bsp_send_at(site, (unsigned int)pid, bspf_area(site, "bsp_send", "tag", tag),
		    bspf_bytes(site, "bsp_send", "payload", payload, nbytes), nbytes);
}

void bspf_send(int pid, const CFI_cdesc_t *tag, const CFI_cdesc_t *payload, int nbytes)
{
	message_send(SITE, pid, tag, payload, nbytes);
}

void bspf_send8(int pid, const CFI_cdesc_t *tag, const CFI_cdesc_t *payload, int64_t nbytes)
{
	message_send(SITE, pid, tag, payload, nbytes);
}

static void message_hpsend(const char *site, int pid, const CFI_cdesc_t *tag,
			   const CFI_cdesc_t *payload, size_t nbytes)
{
	bsp_hpsend_at(site, (unsigned int)pid, bspf_area(site, "bsp_hpsend", "tag", tag),
		      bspf_bytes(site, "bsp_hpsend", "payload", payload, nbytes), nbytes);
}

void bspf_hpsend(int pid, const CFI_cdesc_t *tag, const CFI_cdesc_t *payload, int nbytes)
{
	message_hpsend(SITE, pid, tag, payload, nbytes);
}

void bspf_hpsend8(int pid, const CFI_cdesc_t *tag, const CFI_cdesc_t *payload, int64_t nbytes)
{
	message_hpsend(SITE, pid, tag, payload, nbytes);
}

/* @n in an integer of 4 bytes; -1 stays. */
static int small(const char *site, const char *call, size_t n)
{
	char text[256];

	if (n <= INT_MAX || n == SIZE_MAX)
		return (int)n;
	snprintf(text, sizeof(text),
		 "%zu bytes are more than an integer of 4 bytes can say; use integer(8)", n);
	bsp_refuse_at(site, call, text);
}

void bspf_set_tagsize(int *nbytes)
{
	size_t size = (size_t)*nbytes;

	bsp_set_tagsize_at(SITE, &size);
	*nbytes = small(SITE, "bsp_set_tagsize", size);
}

void bspf_set_tagsize8(int64_t *nbytes)
{
	size_t size = (size_t)*nbytes;

	bsp_set_tagsize_at(SITE, &size);
	*nbytes = (int64_t)size;
}

void bspf_qsize(int *packets, int *nbytes)
{
	unsigned int n;
	size_t size;

	bsp_qsize_at(SITE, &n, &size);
	*packets = small(SITE, "bsp_qsize", n);
	*nbytes = small(SITE, "bsp_qsize", size);
}

void bspf_qsize8(int *packets, int64_t *nbytes)
{
	unsigned int n;
	size_t size;

	bsp_qsize_at(SITE, &n, &size);
	*packets = small(SITE, "bsp_qsize", n);
	*nbytes = (int64_t)size;
}

void bspf_get_tag(int *status, const CFI_cdesc_t *tag)
{
	size_t size;

	bsp_get_tag_at(SITE, &size, bspf_area(SITE, "bsp_get_tag", "tag", tag));
	*status = small(SITE, "bsp_get_tag", size);
}

void bspf_get_tag8(int64_t *status, const CFI_cdesc_t *tag)
{
	size_t size;

	bsp_get_tag_at(SITE, &size, bspf_area(SITE, "bsp_get_tag", "tag", tag));
	*status = (int64_t)size;
}

static void message_move(const char *site, const CFI_cdesc_t *payload, size_t nbytes)
{
	bsp_move_at(site, bspf_bytes(site, "bsp_move", "payload", payload, nbytes), nbytes);
}

void bspf_move(const CFI_cdesc_t *payload, int nbytes)
{
	message_move(SITE, payload, nbytes);
}

void bspf_move8(const CFI_cdesc_t *payload, int64_t nbytes)
{
	message_move(SITE, payload, nbytes);
}

/* ---- Relaxed barriers ------------------------------------------------------------------- */

void bspf_set_sync(int mode, int *previous)
{
	int last = bsp_set_sync_at(SITE, mode);

	if (previous)
		*previous = last;
}

void bspf_read(const CFI_cdesc_t *area, int n)
{
	bsp_read_at(SITE, area->base_addr, n);
}

/* As a default logical. */
int bspf_read_test(const CFI_cdesc_t *area, int n)
{
	return bsp_read_test_at(SITE, area->base_addr, n);
}

void bspf_serve(const CFI_cdesc_t *area, int n)
{
	bsp_serve_at(SITE, area->base_addr, n);
}

void bspf_expect(int n)
{
	bsp_expect_at(SITE, n);
}

/* ---- Only with neighbours --------------------------------------------------------------- */

void bspf_set_neighbors(int n, const int *pids)
{
	bsp_set_neighbors_at(SITE, n, pids);
}

/* ---- Sections ------------------------------------------------------------------------------ */

enum { SECTION_NAME = 128 };	/* more than a name may have, so that a longer one is refused */

/* Without the blanks at its end, in @text, which has SECTION_NAME bytes. */
static const char *section_name(const CFI_cdesc_t *name, char *text)
{
	const char *all = name->base_addr;
	size_t len = name->elem_len;

	while (len > 0 && all[len - 1] == ' ')
		len--;
	snprintf(text, SECTION_NAME, "%.*s", (int)(len < SECTION_NAME ? len : SECTION_NAME), all);
	return text;
}

void bspf_section(const CFI_cdesc_t *name)
{
	char text[SECTION_NAME];

	bsp_section_at(SITE, section_name(name, text));
}

void bspf_section_end(const CFI_cdesc_t *name)
{
	char text[SECTION_NAME];

	bsp_section_end_at(SITE, section_name(name, text));
}

/* ---- Parameters ---------------------------------------------------------------------------- */

double bspf_s(void)
{
	return bsp_s();
}

double bspf_l(void)
{
	return bsp_l();
}

double bspf_g(void)
{
	return bsp_g();
}

int bspf_nhalf(void)
{
	return bsp_nhalf();
}
