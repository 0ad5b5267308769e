/* SPDX-License-Identifier: BSD-3-Clause */
/* ft_setup.c - what FT does before the first transposition: options, buffers, plans. */

#include "ft.h"

#include <bsp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PUT_BYTES = 8192,	/* at least, in a put of several blocks */
	STEPS = 8,		/* supersteps of a transposition */
};

static bool divides(const struct ft_class *c, int nprocs)
{
	return c->ny % nprocs == 0 && c->nz % nprocs == 0;
}

void ft_learn(const struct ft_options *options)
{
	const struct ft_class *class = ft_class_find(options->class);

	if (divides(class, (int)bsp_nprocs()) && !ft_slab_learn(class, (int)bsp_nprocs()))
		bsp_abort("ft: no memory for class %c", class->name);
}

/* Process 0 knows the options, and sends them to all. */
static void share_options(struct ft_options *shared, const struct ft_options *options)
{
	bsp_push_reg(shared, sizeof *shared);
	bsp_sync();
	for (bsp_pid_t q = 0; bsp_pid() == 0 && q < bsp_nprocs(); q++)
		bsp_put(q, options, shared, 0, sizeof *options);
	bsp_pop_reg(shared);
	bsp_sync();
}

static void refuse_nprocs(const struct ft_class *c)
{
	char possible[128] = "";

	for (int n = 1; n <= c->ny && n <= c->nz; n++)
		if (divides(c, n))
			sprintf(possible + strlen(possible), "%s%d", n > 1 ? ", " : "", n);
	bsp_abort("ft: class %c has %d planes of y and %d of z, which cannot be dealt out to %d "
		  "processes alike; possible numbers of processes: %s",
		  c->name, c->ny, c->nz, (int)bsp_nprocs(), possible);
}

static void check_sizes(const struct ft *ft)
{
	size_t nbytes = ft->points * sizeof(double complex);

	if (sizeof(bsp_size_t) == sizeof(int) && nbytes > INT_MAX)
		bsp_abort("ft: class %c on %d processes has buffers of %zu bytes; that needs "
			  "more processes, or bspcc --mcbsp", ft->class->name,
			  (int)bsp_nprocs(), nbytes);
}

/* Memory on a boundary of pages, which is where transfers are fastest; touched. */
static double complex *allocate(size_t points)
{
	size_t nbytes = (points * sizeof(double complex) / 4096 + 1) * 4096;
	void *mem = aligned_alloc(4096, nbytes);

	if (!mem)
		bsp_abort("ft: no memory for %zu bytes", nbytes);
	return memset(mem, 0, nbytes);
}

static void set_puts(const struct ft *ft, struct ft_exchange *e)
{
	int steps = ft->options.steps ? ft->options.steps : STEPS;
	int puts = ft->options.puts < e->planes ? ft->options.puts : e->planes;

	if (puts > 0)
		e->per_put = (e->planes + puts - 1) / puts;
	else
		e->per_put = PUT_BYTES / (int)(e->stride * sizeof(double complex)) + 1;
	if (e->per_put > e->planes)
		e->per_put = e->planes;
	e->per_step = (e->planes + steps - 1) / steps;
	e->per_step = (e->per_step + e->per_put - 1) / e->per_put * e->per_put;
}

static void open_buffers(struct ft *ft)
{
	size_t p = bsp_nprocs(), niter = ft->class->niter;

	ft->points = ft_slab_points(&ft->slab);
	check_sizes(ft);
	for (int i = 0; i < 2; i++) {
		ft->receive[i] = allocate(ft->points);
		bsp_push_reg(ft->receive[i], (bsp_size_t)(ft->points * sizeof(double complex)));
	}
	ft->send = allocate(ft->points / p * (p - 1));
	ft->checksum = allocate(niter);
	ft->checksums = allocate(p * niter);
	bsp_push_reg(ft->checksums, (bsp_size_t)(p * niter * sizeof(double complex)));
}

void ft_open(struct ft *ft, const struct ft_options *options)
{
	share_options(&ft->options, options);
	ft->class = ft_class_find(ft->options.class);
	if (!divides(ft->class, (int)bsp_nprocs()))
		refuse_nprocs(ft->class);
	if (!ft_slab_open(&ft->slab, ft->class, (int)bsp_nprocs(), (int)bsp_pid()))
		bsp_abort("ft: no memory for class %c", ft->class->name);
	ft->slab.disturbance = ft->options.disturbance;
	set_puts(ft, &ft->slab.forward);
	set_puts(ft, &ft->slab.inverse);
	open_buffers(ft);
	bsp_sync();
}

void ft_close(struct ft *ft)
{
	free(ft->checksums);
	free(ft->checksum);
	free(ft->send);
	free(ft->receive[1]);
	free(ft->receive[0]);
	ft_slab_close(&ft->slab);
}

void ft_plan(struct ft *ft)
{
	char *wisdom = bsp_pid() == 0 ? fftw_export_wisdom_to_string() : NULL;
	void *tag, *payload;

	for (bsp_pid_t q = 1; wisdom && q < bsp_nprocs(); q++)
		bsp_send(q, NULL, wisdom, (bsp_size_t)(strlen(wisdom) + 1));
	free(wisdom);
	bsp_sync();
	if (bsp_hpmove(&tag, &payload) != (bsp_size_t)-1)
		fftw_import_wisdom_from_string(payload);
	ft_slab_plan(&ft->slab, ft->receive[0]);
}
