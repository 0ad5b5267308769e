/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_names.h - how the names of bsp.h reach the library; nothing here is to be read by users. */

/*
 * Included twice by bsp.h: before its prototypes to select the size_t interface,
 * and after them to make every call carry its place, "file:line", for messages.
 *
 * The macros take arguments, so that &bsp_put and (bsp_put)(...) name the plain
 * functions, which do the same and do not know their place.
 */

#ifndef BSP_NAMED
/* The call looks at the address alone, not at what is there, which may have no value yet. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define BSP_NAMED(argument) __attribute__((access(none, argument)))
#else
#define BSP_NAMED(argument)
#endif
#endif

#if defined(BSP_MCBSP) && !defined(BSP_PLACES)

#define bsp_begin mcbsp_begin
#define bsp_end mcbsp_end
#define bsp_sync mcbsp_sync
#define bsp_pid mcbsp_pid
#define bsp_time mcbsp_time
#define bsp_push_reg mcbsp_push_reg
#define bsp_pop_reg mcbsp_pop_reg
#define bsp_put mcbsp_put
#define bsp_hpput mcbsp_hpput
#define bsp_get mcbsp_get
#define bsp_hpget mcbsp_hpget
#define bsp_set_tagsize mcbsp_set_tagsize
#define bsp_send mcbsp_send
#define bsp_hpsend mcbsp_hpsend
#define bsp_qsize mcbsp_qsize
#define bsp_get_tag mcbsp_get_tag
#define bsp_move mcbsp_move
#define bsp_hpmove mcbsp_hpmove

#define bsp_init_at mcbsp_init_at
#define bsp_begin_at mcbsp_begin_at
#define bsp_end_at mcbsp_end_at
#define bsp_sync_at mcbsp_sync_at
#define bsp_pid_at mcbsp_pid_at
#define bsp_time_at mcbsp_time_at
#define bsp_push_reg_at mcbsp_push_reg_at
#define bsp_pop_reg_at mcbsp_pop_reg_at
#define bsp_put_at mcbsp_put_at
#define bsp_hpput_at mcbsp_hpput_at
#define bsp_get_at mcbsp_get_at
#define bsp_hpget_at mcbsp_hpget_at
#define bsp_set_tagsize_at mcbsp_set_tagsize_at
#define bsp_send_at mcbsp_send_at
#define bsp_hpsend_at mcbsp_hpsend_at
#define bsp_qsize_at mcbsp_qsize_at
#define bsp_get_tag_at mcbsp_get_tag_at
#define bsp_move_at mcbsp_move_at
#define bsp_hpmove_at mcbsp_hpmove_at

#define bsp_init mcbsp_init
#define bsp_nprocs mcbsp_nprocs
#define bsp_pushregister mcbsp_pushregister
#define bsp_popregister mcbsp_popregister
#define bsp_set_tag_size mcbsp_set_tag_size
#define bsp_bsmp_info mcbsp_bsmp_info
#define bsp_sync_end mcbsp_sync_end
#define bsp_dtime mcbsp_dtime
#define bsp_cputime mcbsp_cputime

#endif

#ifdef BSP_PLACES

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

void bsp_init_at(const char *place, void (*spmd)(void), int argc, char **argv);
void bsp_begin_at(const char *place, bsp_nprocs_t maxprocs);
void bsp_end_at(const char *place);
void bsp_sync_at(const char *place);
bsp_pid_t bsp_pid_at(const char *place);
double bsp_time_at(const char *place);
BSP_NAMED(2) void bsp_push_reg_at(const char *place, const void *area, bsp_size_t nbytes);
BSP_NAMED(2) void bsp_pop_reg_at(const char *place, const void *area);
void bsp_put_at(const char *place, bsp_pid_t pid, const void *src, void *dst,
	bsp_size_t offset, bsp_size_t nbytes);
void bsp_hpput_at(const char *place, bsp_pid_t pid, const void *src,
	void *dst, bsp_size_t offset, bsp_size_t nbytes);
BSP_NAMED(3) void bsp_get_at(const char *place, bsp_pid_t pid, const void *src,
	bsp_size_t offset, void *dst, bsp_size_t nbytes);
BSP_NAMED(3) void bsp_hpget_at(const char *place, bsp_pid_t pid, const void *src,
	bsp_size_t offset, void *dst, bsp_size_t nbytes);
void bsp_set_tagsize_at(const char *place, bsp_size_t *nbytes);
void bsp_send_at(const char *place, bsp_pid_t pid, const void *tag,
	const void *payload, bsp_size_t nbytes);
void bsp_hpsend_at(const char *place, bsp_pid_t pid, const void *tag,
	const void *payload, bsp_size_t nbytes);
void bsp_qsize_at(const char *place, bsp_nprocs_t *nmessages,
	bsp_size_t *nbytes);
void bsp_get_tag_at(const char *place, bsp_size_t *status, void *tag);
void bsp_move_at(const char *place, void *payload, bsp_size_t nbytes);
bsp_size_t bsp_hpmove_at(const char *place, void **tag, void **payload);
int bsp_set_sync_at(const char *place, int mode);
BSP_NAMED(2) void bsp_read_at(const char *place, const void *area, int n);
BSP_NAMED(2) int bsp_read_test_at(const char *place, const void *area, int n);
BSP_NAMED(2) void bsp_serve_at(const char *place, const void *area, int n);
void bsp_expect_at(const char *place, int n);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#define BSP_PLACE_TEXT(line) #line
#define BSP_PLACE_LINE(line) BSP_PLACE_TEXT(line)
#define BSP_PLACE __FILE__ ":" BSP_PLACE_LINE(__LINE__)

/* The same in both interfaces. */
#define bsp_set_sync(a) bsp_set_sync_at(BSP_PLACE, a)
#define bsp_read(a, b) bsp_read_at(BSP_PLACE, a, b)
#define bsp_read_test(a, b) bsp_read_test_at(BSP_PLACE, a, b)
#define bsp_serve(a, b) bsp_serve_at(BSP_PLACE, a, b)
#define bsp_expect(a) bsp_expect_at(BSP_PLACE, a)

#ifdef BSP_MCBSP

#define mcbsp_init(a, b, c) mcbsp_init_at(BSP_PLACE, a, b, c)
#define mcbsp_begin(a) mcbsp_begin_at(BSP_PLACE, a)
#define mcbsp_end() mcbsp_end_at(BSP_PLACE)
#define mcbsp_sync() mcbsp_sync_at(BSP_PLACE)
#define mcbsp_pid() mcbsp_pid_at(BSP_PLACE)
#define mcbsp_time() mcbsp_time_at(BSP_PLACE)
#define mcbsp_push_reg(a, b) mcbsp_push_reg_at(BSP_PLACE, a, b)
#define mcbsp_pop_reg(a) mcbsp_pop_reg_at(BSP_PLACE, a)
#define mcbsp_put(a, b, c, d, e) mcbsp_put_at(BSP_PLACE, a, b, c, d, e)
#define mcbsp_hpput(a, b, c, d, e) mcbsp_hpput_at(BSP_PLACE, a, b, c, d, e)
#define mcbsp_get(a, b, c, d, e) mcbsp_get_at(BSP_PLACE, a, b, c, d, e)
#define mcbsp_hpget(a, b, c, d, e) mcbsp_hpget_at(BSP_PLACE, a, b, c, d, e)
#define mcbsp_set_tagsize(a) mcbsp_set_tagsize_at(BSP_PLACE, a)
#define mcbsp_send(a, b, c, d) mcbsp_send_at(BSP_PLACE, a, b, c, d)
#define mcbsp_hpsend(a, b, c, d) mcbsp_hpsend_at(BSP_PLACE, a, b, c, d)
#define mcbsp_qsize(a, b) mcbsp_qsize_at(BSP_PLACE, a, b)
#define mcbsp_get_tag(a, b) mcbsp_get_tag_at(BSP_PLACE, a, b)
#define mcbsp_move(a, b) mcbsp_move_at(BSP_PLACE, a, b)
#define mcbsp_hpmove(a, b) mcbsp_hpmove_at(BSP_PLACE, a, b)
#define mcbsp_pushregister(a, b) mcbsp_push_reg_at(BSP_PLACE, a, b)
#define mcbsp_popregister(a) mcbsp_pop_reg_at(BSP_PLACE, a)
#define mcbsp_set_tag_size(a) mcbsp_set_tagsize_at(BSP_PLACE, a)
#define mcbsp_bsmp_info(a, b) mcbsp_qsize_at(BSP_PLACE, a, b)
#define mcbsp_sync_end() mcbsp_sync_at(BSP_PLACE)

#else

#define bsp_init(a, b, c) bsp_init_at(BSP_PLACE, a, b, c)
#define bsp_begin(a) bsp_begin_at(BSP_PLACE, a)
#define bsp_end() bsp_end_at(BSP_PLACE)
#define bsp_sync() bsp_sync_at(BSP_PLACE)
#define bsp_pid() bsp_pid_at(BSP_PLACE)
#define bsp_time() bsp_time_at(BSP_PLACE)
#define bsp_push_reg(a, b) bsp_push_reg_at(BSP_PLACE, a, b)
#define bsp_pop_reg(a) bsp_pop_reg_at(BSP_PLACE, a)
#define bsp_put(a, b, c, d, e) bsp_put_at(BSP_PLACE, a, b, c, d, e)
#define bsp_hpput(a, b, c, d, e) bsp_hpput_at(BSP_PLACE, a, b, c, d, e)
#define bsp_get(a, b, c, d, e) bsp_get_at(BSP_PLACE, a, b, c, d, e)
#define bsp_hpget(a, b, c, d, e) bsp_hpget_at(BSP_PLACE, a, b, c, d, e)
#define bsp_set_tagsize(a) bsp_set_tagsize_at(BSP_PLACE, a)
#define bsp_send(a, b, c, d) bsp_send_at(BSP_PLACE, a, b, c, d)
#define bsp_hpsend(a, b, c, d) bsp_hpsend_at(BSP_PLACE, a, b, c, d)
#define bsp_qsize(a, b) bsp_qsize_at(BSP_PLACE, a, b)
#define bsp_get_tag(a, b) bsp_get_tag_at(BSP_PLACE, a, b)
#define bsp_move(a, b) bsp_move_at(BSP_PLACE, a, b)
#define bsp_hpmove(a, b) bsp_hpmove_at(BSP_PLACE, a, b)
#define bsp_pushregister(a, b) bsp_push_reg_at(BSP_PLACE, a, b)
#define bsp_popregister(a) bsp_pop_reg_at(BSP_PLACE, a)
#define bsp_set_tag_size(a) bsp_set_tagsize_at(BSP_PLACE, a)
#define bsp_bsmp_info(a, b) bsp_qsize_at(BSP_PLACE, a, b)
#define bsp_sync_end() bsp_sync_at(BSP_PLACE)

#endif /* BSP_MCBSP */

#endif /* BSP_PLACES */
