/* SPDX-License-Identifier: BSD-3-Clause */
/* mcbsp-templates.hpp - calls that count in elements, by their name in MulticoreBSP for C. */

/*
 * Sizes and offsets are numbers of elements of the type to which the pointer of the registered
 * area, of the payload or of the result points; of void, bytes. The number is 1 if it is left out,
 * and the offset of a put 0.
 *
 *	bsp_push_reg(array, n);
 *	bsp_put(pid, &x, array, bsp_pid());
 *	bsp_get(pid, array, i, &x);
 *	bsp_set_tagsize<int>();
 *	bsp_send(pid, &tag, &x);
 *	bsp_move(&x);
 *
 * After this header the names of these calls are macros without arguments: the names of function
 * templates and, for bytes, of functions. As everywhere they know their call sites.
 */
#ifndef MCBSP_TEMPLATES_HPP
#define MCBSP_TEMPLATES_HPP

#include <mcbsp.hpp>

#ifdef BSP_NO_CALL_SITES
#define BSP_AT(name) ::name
#define BSP_CALL_SITE 0
#else
#define BSP_AT(name) ::bsp_plain::name
#define BSP_CALL_SITE BSP_SITE
#endif

namespace bsp_elements {

template<typename T>
inline void push_reg(T *area, std::size_t n = 1, const char *site = BSP_CALL_SITE)
{
	BSP_AT(bsp_push_reg_at)(site, area, (bsp_size_t)(n * sizeof(T)));
}

inline void push_reg(const void *area, std::size_t nbytes, const char *site = BSP_CALL_SITE)
{
	BSP_AT(bsp_push_reg_at)(site, area, (bsp_size_t)nbytes);
}

/* The size that tags had. */
template<typename T>
inline bsp_size_t set_tagsize(const T & = T(), const char *site = BSP_CALL_SITE)
{
	bsp_size_t nbytes = sizeof(T);

	BSP_AT(bsp_set_tagsize_at)(site, &nbytes);
	return nbytes;
}

inline void set_tagsize(bsp_size_t *nbytes, const char *site = BSP_CALL_SITE)
{
	BSP_AT(bsp_set_tagsize_at)(site, nbytes);
}

#define BSP_ELEMENTS_PUT(name, at) \
template<typename T> \
inline void name(bsp_pid_t pid, const void *src, T *dst, std::size_t offset = 0, \
		 std::size_t n = 1, const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, src, const_cast<void *>(static_cast<const void *>(dst)), \
		   (bsp_size_t)(offset * sizeof(T)), (bsp_size_t)(n * sizeof(T))); \
} \
inline void name(bsp_pid_t pid, const void *src, const void *dst, std::size_t offset, \
		 std::size_t nbytes, const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, src, const_cast<void *>(dst), (bsp_size_t)offset, \
		   (bsp_size_t)nbytes); \
} \
inline void name(bsp_pid_t pid, const void *src, void *dst, std::size_t offset, \
		 std::size_t nbytes, const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, src, dst, (bsp_size_t)offset, (bsp_size_t)nbytes); \
}
BSP_ELEMENTS_PUT(put, bsp_put_at)
BSP_ELEMENTS_PUT(hpput, bsp_hpput_at)
#undef BSP_ELEMENTS_PUT

#define BSP_ELEMENTS_GET(name, at) \
template<typename T> \
inline void name(bsp_pid_t pid, const T *src, std::size_t offset, void *dst, \
		 std::size_t n = 1, const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, src, (bsp_size_t)(offset * sizeof(T)), dst, \
		   (bsp_size_t)(n * sizeof(T))); \
} \
inline void name(bsp_pid_t pid, const void *src, std::size_t offset, void *dst, \
		 std::size_t nbytes, const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, src, (bsp_size_t)offset, dst, (bsp_size_t)nbytes); \
}
BSP_ELEMENTS_GET(get, bsp_get_at)
BSP_ELEMENTS_GET(hpget, bsp_hpget_at)
BSP_ELEMENTS_GET(direct_get, bsp_direct_get_at)
#undef BSP_ELEMENTS_GET

#define BSP_ELEMENTS_SEND(name, at) \
template<typename T> \
inline void name(bsp_pid_t pid, const void *tag, const T *payload, std::size_t n = 1, \
		 const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, tag, payload, (bsp_size_t)(n * sizeof(T))); \
} \
inline void name(bsp_pid_t pid, const void *tag, const void *payload, std::size_t nbytes, \
		 const char *site = BSP_CALL_SITE) \
{ \
	BSP_AT(at)(site, pid, tag, payload, (bsp_size_t)nbytes); \
}
BSP_ELEMENTS_SEND(send, bsp_send_at)
BSP_ELEMENTS_SEND(hpsend, bsp_hpsend_at)
#undef BSP_ELEMENTS_SEND

template<typename T>
inline void move(T *payload, std::size_t n = 1, const char *site = BSP_CALL_SITE)
{
	BSP_AT(bsp_move_at)(site, payload, (bsp_size_t)(n * sizeof(T)));
}

inline void move(void *payload, std::size_t nbytes, const char *site = BSP_CALL_SITE)
{
	BSP_AT(bsp_move_at)(site, payload, (bsp_size_t)nbytes);
}

}

#define bsp_push_reg bsp_elements::push_reg
#define bsp_set_tagsize bsp_elements::set_tagsize
#define bsp_put bsp_elements::put
#define bsp_hpput bsp_elements::hpput
#define bsp_get bsp_elements::get
#define bsp_hpget bsp_elements::hpget
#define bsp_direct_get bsp_elements::direct_get
#define bsp_send bsp_elements::send
#define bsp_hpsend bsp_elements::hpsend
#define bsp_move bsp_elements::move

#endif
