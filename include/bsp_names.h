/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_names.h - the names of bsp.h with their call sites; not for users. */

/*
 * Included by bsp.h after its prototypes. How a name becomes the call that knows its site is in
 * bsp_site.h. The size_t interface has the same names in a program, and in the library those that
 * begin with mc.
 */
#ifndef BSP_NAMES_H
#define BSP_NAMES_H

#ifdef BSP_MCBSP
#define BSP_SYMBOL(name) __asm__("mc" name)
#else
#define BSP_SYMBOL(name)
#endif

BSP_BEGIN
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

void bsp_init_at(const char *site, void (*spmd)(void), int argc,
	char **argv) BSP_SYMBOL("bsp_init_at");
void bsp_begin_at(const char *site, bsp_nprocs_t maxprocs) BSP_SYMBOL("bsp_begin_at");
void bsp_end_at(const char *site) BSP_SYMBOL("bsp_end_at");
void bsp_sync_at(const char *site) BSP_SYMBOL("bsp_sync_at");
bsp_pid_t bsp_pid_at(const char *site) BSP_SYMBOL("bsp_pid_at");
double bsp_time_at(const char *site) BSP_SYMBOL("bsp_time_at");
BSP_NAMED(2) void bsp_push_reg_at(const char *site, const void *area,
	bsp_size_t nbytes) BSP_SYMBOL("bsp_push_reg_at");
BSP_NAMED(2) void bsp_pop_reg_at(const char *site,
	const void *area) BSP_SYMBOL("bsp_pop_reg_at");
void bsp_put_at(const char *site, bsp_pid_t pid, const void *src, void *dst,
	bsp_size_t offset, bsp_size_t nbytes) BSP_SYMBOL("bsp_put_at");
void bsp_hpput_at(const char *site, bsp_pid_t pid, const void *src, void *dst,
	bsp_size_t offset, bsp_size_t nbytes) BSP_SYMBOL("bsp_hpput_at");
BSP_NAMED(3) void bsp_get_at(const char *site, bsp_pid_t pid, const void *src,
	bsp_size_t offset, void *dst, bsp_size_t nbytes) BSP_SYMBOL("bsp_get_at");
BSP_NAMED(3) void bsp_hpget_at(const char *site, bsp_pid_t pid, const void *src,
	bsp_size_t offset, void *dst, bsp_size_t nbytes) BSP_SYMBOL("bsp_hpget_at");
BSP_NAMED(3) void bsp_direct_get_at(const char *site, bsp_pid_t pid, const void *src,
	bsp_size_t offset, void *dst, bsp_size_t nbytes) BSP_SYMBOL("bsp_direct_get_at");
void bsp_set_tagsize_at(const char *site, bsp_size_t *nbytes) BSP_SYMBOL("bsp_set_tagsize_at");
void bsp_send_at(const char *site, bsp_pid_t pid, const void *tag, const void *payload,
	bsp_size_t nbytes) BSP_SYMBOL("bsp_send_at");
void bsp_hpsend_at(const char *site, bsp_pid_t pid, const void *tag,
	const void *payload, bsp_size_t nbytes) BSP_SYMBOL("bsp_hpsend_at");
void bsp_qsize_at(const char *site, bsp_nprocs_t *nmessages,
	bsp_size_t *nbytes) BSP_SYMBOL("bsp_qsize_at");
void bsp_get_tag_at(const char *site, bsp_size_t *status,
	void *tag) BSP_SYMBOL("bsp_get_tag_at");
void bsp_move_at(const char *site, void *payload, bsp_size_t nbytes) BSP_SYMBOL("bsp_move_at");
bsp_size_t bsp_hpmove_at(const char *site, void **tag,
	void **payload) BSP_SYMBOL("bsp_hpmove_at");
int bsp_set_sync_at(const char *site, int mode);
BSP_NAMED(2) void bsp_read_at(const char *site, const void *area, int n);
BSP_NAMED(2) int bsp_read_test_at(const char *site, const void *area, int n);
BSP_NAMED(2) void bsp_serve_at(const char *site, const void *area, int n);
void bsp_expect_at(const char *site, int n);
void bsp_set_neighbors_at(const char *site, int n, const int *pids);
void bsp_section_at(const char *site, const char *name);
void bsp_section_end_at(const char *site, const char *name);

#if !defined(BSP_MCBSP) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
/* So a reference to "bsp_begin" is of an object that was compiled with another library's header. */
extern __typeof__(bsp_begin) bsp_begin __asm__("bsp_begin_int");
#pragma GCC diagnostic pop
#endif

#ifdef BSP_MCBSP
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#define BSP_RENAMED(name) extern __typeof__(name) name BSP_SYMBOL(#name)
BSP_RENAMED(bsp_init);
BSP_RENAMED(bsp_nprocs);
BSP_RENAMED(bsp_begin);
BSP_RENAMED(bsp_end);
BSP_RENAMED(bsp_pid);
BSP_RENAMED(bsp_time);
BSP_RENAMED(bsp_sync);
BSP_RENAMED(bsp_push_reg);
BSP_RENAMED(bsp_pop_reg);
BSP_RENAMED(bsp_put);
BSP_RENAMED(bsp_hpput);
BSP_RENAMED(bsp_get);
BSP_RENAMED(bsp_hpget);
BSP_RENAMED(bsp_direct_get);
BSP_RENAMED(bsp_set_tagsize);
BSP_RENAMED(bsp_send);
BSP_RENAMED(bsp_hpsend);
BSP_RENAMED(bsp_qsize);
BSP_RENAMED(bsp_get_tag);
BSP_RENAMED(bsp_move);
BSP_RENAMED(bsp_hpmove);
BSP_RENAMED(bsp_pushregister);
BSP_RENAMED(bsp_popregister);
BSP_RENAMED(bsp_set_tag_size);
BSP_RENAMED(bsp_bsmp_info);
BSP_RENAMED(bsp_sync_end);
BSP_RENAMED(bsp_dtime);
BSP_RENAMED(bsp_cputime);
#pragma GCC diagnostic pop
#endif

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
BSP_END

#ifdef BSP_NO_CALL_SITES

#elif !defined(__cplusplus)

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvariadic-macros"	/* C89 has none, compilers for it have */
#endif
#define bsp_init(...) bsp_init_at(BSP_SITE, __VA_ARGS__)
#define bsp_begin(...) bsp_begin_at(BSP_SITE, __VA_ARGS__)
#define bsp_end() BSP_RETURNS(bsp_end_at(BSP_SITE))
#define bsp_pid() bsp_pid_at(BSP_SITE)
#define bsp_time() bsp_time_at(BSP_SITE)
#define bsp_sync() BSP_RETURNS(bsp_sync_at(BSP_SITE))
#define bsp_push_reg(...) bsp_push_reg_at(BSP_SITE, __VA_ARGS__)
#define bsp_pop_reg(...) bsp_pop_reg_at(BSP_SITE, __VA_ARGS__)
#define bsp_put(...) bsp_put_at(BSP_SITE, __VA_ARGS__)
#define bsp_hpput(...) bsp_hpput_at(BSP_SITE, __VA_ARGS__)
#define bsp_get(...) bsp_get_at(BSP_SITE, __VA_ARGS__)
#define bsp_hpget(...) bsp_hpget_at(BSP_SITE, __VA_ARGS__)
#define bsp_direct_get(...) BSP_RETURNS(bsp_direct_get_at(BSP_SITE, __VA_ARGS__))
#define bsp_set_tagsize(...) bsp_set_tagsize_at(BSP_SITE, __VA_ARGS__)
#define bsp_send(...) bsp_send_at(BSP_SITE, __VA_ARGS__)
#define bsp_hpsend(...) bsp_hpsend_at(BSP_SITE, __VA_ARGS__)
#define bsp_qsize(...) bsp_qsize_at(BSP_SITE, __VA_ARGS__)
#define bsp_get_tag(...) bsp_get_tag_at(BSP_SITE, __VA_ARGS__)
#define bsp_move(...) bsp_move_at(BSP_SITE, __VA_ARGS__)
#define bsp_hpmove(...) bsp_hpmove_at(BSP_SITE, __VA_ARGS__)
#define bsp_pushregister(...) bsp_push_reg_at(BSP_SITE, __VA_ARGS__)
#define bsp_popregister(...) bsp_pop_reg_at(BSP_SITE, __VA_ARGS__)
#define bsp_set_tag_size(...) bsp_set_tagsize_at(BSP_SITE, __VA_ARGS__)
#define bsp_bsmp_info(...) bsp_qsize_at(BSP_SITE, __VA_ARGS__)
#define bsp_sync_end() BSP_RETURNS(bsp_sync_at(BSP_SITE))
#define bsp_set_sync(...) bsp_set_sync_at(BSP_SITE, __VA_ARGS__)
#define bsp_read(...) BSP_RETURNS(bsp_read_at(BSP_SITE, __VA_ARGS__))
#define bsp_read_test(...) bsp_read_test_at(BSP_SITE, __VA_ARGS__)
#define bsp_serve(...) bsp_serve_at(BSP_SITE, __VA_ARGS__)
#define bsp_expect(...) BSP_RETURNS(bsp_expect_at(BSP_SITE, __VA_ARGS__))
#define bsp_set_neighbors(...) bsp_set_neighbors_at(BSP_SITE, __VA_ARGS__)
#define bsp_section(...) bsp_section_at(BSP_SITE, __VA_ARGS__)
#define bsp_section_end(...) bsp_section_end_at(BSP_SITE, __VA_ARGS__)
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#else

extern "C++" {
#pragma GCC diagnostic push
/* A template has no use for BSP_NAMED. */
#pragma GCC diagnostic ignored "-Wignored-attributes"
BSP_CALL(bsp_init, bsp_init_at);
BSP_CALL(bsp_begin, bsp_begin_at);
BSP_CALL(bsp_end, bsp_end_at);
BSP_CALL(bsp_pid, bsp_pid_at);
BSP_CALL(bsp_time, bsp_time_at);
BSP_CALL(bsp_sync, bsp_sync_at);
BSP_AREA_CALL(bsp_push_reg, bsp_push_reg_at);
BSP_AREA_CALL(bsp_pop_reg, bsp_pop_reg_at);
BSP_CALL(bsp_put, bsp_put_at);
BSP_CALL(bsp_hpput, bsp_hpput_at);
BSP_AREA_CALL(bsp_get, bsp_get_at);
BSP_AREA_CALL(bsp_hpget, bsp_hpget_at);
BSP_AREA_CALL(bsp_direct_get, bsp_direct_get_at);
BSP_CALL(bsp_set_tagsize, bsp_set_tagsize_at);
BSP_CALL(bsp_send, bsp_send_at);
BSP_CALL(bsp_hpsend, bsp_hpsend_at);
BSP_CALL(bsp_qsize, bsp_qsize_at);
BSP_CALL(bsp_get_tag, bsp_get_tag_at);
BSP_CALL(bsp_move, bsp_move_at);
BSP_CALL(bsp_hpmove, bsp_hpmove_at);
BSP_AREA_CALL(bsp_pushregister, bsp_push_reg_at);
BSP_AREA_CALL(bsp_popregister, bsp_pop_reg_at);
BSP_CALL(bsp_set_tag_size, bsp_set_tagsize_at);
BSP_CALL(bsp_bsmp_info, bsp_qsize_at);
BSP_CALL(bsp_sync_end, bsp_sync_at);
BSP_CALL(bsp_set_sync, bsp_set_sync_at);
BSP_AREA_CALL(bsp_read, bsp_read_at);
BSP_AREA_CALL(bsp_read_test, bsp_read_test_at);
BSP_AREA_CALL(bsp_serve, bsp_serve_at);
BSP_CALL(bsp_expect, bsp_expect_at);
BSP_CALL(bsp_set_neighbors, bsp_set_neighbors_at);
BSP_CALL(bsp_section, bsp_section_at);
BSP_CALL(bsp_section_end, bsp_section_end_at);
#pragma GCC diagnostic pop
using bsp_plain::bsp_nprocs;
using bsp_plain::bsp_abort;
using bsp_plain::bsp_abort_va;
using bsp_plain::bsp_vabort;
using bsp_plain::bsp_fix_argv;
using bsp_plain::bsp_s;
using bsp_plain::bsp_l;
using bsp_plain::bsp_g;
using bsp_plain::bsp_nhalf;
using bsp_plain::bsp_dtime;
using bsp_plain::bsp_cputime;
using bsp_plain::bspstart;
using bsp_plain::bspfinish;
using bsp_plain::bspsstep;
using bsp_plain::bspsstep_end;
using bsp_plain::bspstore;
using bsp_plain::bspfetch;
using bsp_plain::bsptime;
using bsp_plain::bspdtime;
using bsp_plain::bspreduce;
using bsp_plain::bspbroadcast;
}

#endif

#endif
