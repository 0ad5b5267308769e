/* SPDX-License-Identifier: BSD-3-Clause */
/* area.hpp - registered memory in C++: areas that register themselves, puts and gets of spans. */

/*
 *	#include <bsp/area.hpp>
 *	#include <cstdio>
 *
 *	int main()
 *	{
 *		bsp::spmd([] {
 *			int me = bsp::pid(), p = bsp::nprocs();
 *			bsp::area<int> left(1);
 *
 *			bsp::sync();
 *			left.put((me + 1) % p, me);
 *			bsp::sync();
 *			std::printf("%d has %d on its left\n", me, left[0]);
 *		});
 *	}
 *
 * These are the calls of bsp.h, which may be mixed with them: what they cost, when they take effect
 * and what they refuse is said there. Sizes and offsets are in elements. Messages have the line of
 * the program. It needs C++11 and either interface of bsp.h. The manual page is bsp_cxx(7).
 *
 * An area registers itself when it is made, and withdraws when it goes: all processes make areas
 * and let them go in the same order. Its memory stays until the bsp::sync() after that, as puts of
 * the last superstep still arrive.
 */
#ifndef BSP_AREA_HPP
#define BSP_AREA_HPP

#include <bsp_coll.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef BSP_NO_CALL_SITES
#define BSP_AREA_SITE NULL
#define BSP_PLAIN(name) ::name
#else
#define BSP_AREA_SITE BSP_SITE
#define BSP_PLAIN(name) bsp_plain::name
#endif
#if __cplusplus >= 201703L
#define BSP_AREA_UNWINDING (std::uncaught_exceptions() > 0)
#else
#define BSP_AREA_UNWINDING std::uncaught_exception()
#endif

namespace bsp {

/* Some elements, one after the other: an array, a vector, or what else has data() and size(). */
template<typename T> class span {
public:
	span(T *data, std::size_t size) : first(data), count(size) {}
	template<std::size_t n> span(T (&array)[n]) : first(array), count(n) {}
	template<typename C, typename = decltype(static_cast<T *>(std::declval<C &>().data()))>
	span(C &c) : first(c.data()), count(c.size()) {}
	template<typename C,
		 typename = decltype(static_cast<T *>(std::declval<const C &>().data()))>
	span(const C &c) : first(c.data()), count(c.size()) {}

	T *data() const { return first; }
	std::size_t size() const { return count; }
	T *begin() const { return first; }
	T *end() const { return first + count; }
	T &operator[](std::size_t i) const { return first[i]; }

private:
	T *first;
	std::size_t count;
};

/* For the rest of this header. */
namespace detail {

/* Bytes of @n elements; more than the interface can say is no size for the call. */
inline bsp_size_t bytes(std::size_t n, std::size_t size, const char *call)
{
	const std::size_t most = static_cast<std::size_t>(std::numeric_limits<bsp_size_t>::max());

	if (n > most / size)
		BSP_PLAIN(bsp_abort)("%s: %lu elements of %lu bytes are more than a size can say; "
				     "use bspcxx --mcbsp", call, static_cast<unsigned long>(n),
				     static_cast<unsigned long>(size));
	return static_cast<bsp_size_t>(n * size);
}

/* Memory of areas that have gone, which is still written to until the end of the superstep. */
inline std::vector<void *> &retired()
{
	static std::vector<void *> memory;

	return memory;
}

inline void release(std::vector<void *> &memory)
{
	for (std::size_t i = 0; i < memory.size(); i++)
		std::free(memory[i]);
	memory.clear();
}

template<typename T> struct type_of;
template<> struct type_of<std::int8_t> { enum { value = BSP_INT8 }; };
template<> struct type_of<std::int16_t> { enum { value = BSP_INT16 }; };
template<> struct type_of<std::int32_t> { enum { value = BSP_INT32 }; };
template<> struct type_of<std::int64_t> { enum { value = BSP_INT64 }; };
template<> struct type_of<std::uint8_t> { enum { value = BSP_UINT8 }; };
template<> struct type_of<std::uint16_t> { enum { value = BSP_UINT16 }; };
template<> struct type_of<std::uint32_t> { enum { value = BSP_UINT32 }; };
template<> struct type_of<std::uint64_t> { enum { value = BSP_UINT64 }; };
template<> struct type_of<float> { enum { value = BSP_FLOAT }; };
template<> struct type_of<double> { enum { value = BSP_DOUBLE }; };

}

inline int pid(const char *site = BSP_AREA_SITE)
{
	return static_cast<int>(BSP_PLAIN(bsp_pid_at)(site));
}

inline int nprocs()
{
	return static_cast<int>(BSP_PLAIN(bsp_nprocs)());
}

/* bsp_sync(); releases what areas that have gone have left. */
inline void sync(const char *site = BSP_AREA_SITE)
{
	std::vector<void *> over;

	over.swap(detail::retired());
	BSP_PLAIN(bsp_sync_at)(site);
	detail::release(over);
}

/* The sum, or what else @op says, of a number of each process. */
template<typename T> T allreduce(int op, T x, const char *site = BSP_AREA_SITE)
{
	T all;

	BSP_PLAIN(bsp_allreduce_at)(site, op, detail::type_of<T>::value, &x, &all, 1);
	return all;
}

/* Registered memory of @size elements, of its own or of the program's. */
template<typename T> class area {
	static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");

public:
	/* Memory of its own: @n elements, which may be another number on each process. */
	explicit area(std::size_t n, const T &value = T(), const char *site = BSP_AREA_SITE)
		: all(allocate(n), n), is_own(true)
	{
		for (std::size_t i = 0; i < n; i++)
			all[i] = value;
		push(site);
	}

	/* Memory of the program, which must stay until the bsp::sync() after the area has gone. */
	explicit area(span<T> memory, const char *site = BSP_AREA_SITE) : all(memory), is_own(false)
	{
		push(site);
	}

	area(const area &) = delete;
	area &operator=(const area &) = delete;

	/* While an exception leaves a function nothing is withdrawn: the others do not do so. */
	~area()
	{
		if (BSP_AREA_UNWINDING)
			return;
		BSP_PLAIN(bsp_pop_reg_at)(site_of_push, all.data());
		if (is_own)
			detail::retired().push_back(all.data());
	}

	/* The area of this process. */
	T *data() const { return all.data(); }
	std::size_t size() const { return all.size(); }
	T *begin() const { return all.begin(); }
	T *end() const { return all.end(); }
	T &operator[](std::size_t i) const { return all[i]; }

	/* To the area of process @pid, from its element @offset on. */
	void put(int pid, span<const T> src, std::size_t offset = 0,
		 const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_put_at)(site, pid, src.data(), all.data(),
				      bytes(offset, "bsp_put"), bytes(src.size(), "bsp_put"));
	}

	void put(int pid, const T &value, std::size_t offset = 0,
		 const char *site = BSP_AREA_SITE) const
	{
		put(pid, span<const T>(&value, 1), offset, site);
	}

	void hpput(int pid, span<const T> src, std::size_t offset = 0,
		   const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_hpput_at)(site, pid, src.data(), all.data(),
					bytes(offset, "bsp_hpput"), bytes(src.size(), "bsp_hpput"));
	}

	/* From the area of process @pid; as much as @dst takes. */
	void get(int pid, std::size_t offset, span<T> dst, const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_get_at)(site, pid, all.data(), bytes(offset, "bsp_get"), dst.data(),
				      bytes(dst.size(), "bsp_get"));
	}

	void hpget(int pid, std::size_t offset, span<T> dst, const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_hpget_at)(site, pid, all.data(), bytes(offset, "bsp_hpget"),
					dst.data(), bytes(dst.size(), "bsp_hpget"));
	}

	/* The same at once: the bytes have arrived when it returns. */
	void direct_get(int pid, std::size_t offset, span<T> dst,
			const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_direct_get_at)(site, pid, all.data(), bytes(offset, "bsp_direct_get"),
					     dst.data(), bytes(dst.size(), "bsp_direct_get"));
	}

	/* In relaxed supersteps: bsp_read(), bsp_read_test(), bsp_serve(). */
	void read(int n, const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_read_at)(site, all.data(), n);
	}

	bool read_test(int n, const char *site = BSP_AREA_SITE) const
	{
		return BSP_PLAIN(bsp_read_test_at)(site, all.data(), n);
	}

	void serve(int n, const char *site = BSP_AREA_SITE) const
	{
		BSP_PLAIN(bsp_serve_at)(site, all.data(), n);
	}

private:
	/* An area without elements has an address all the same. */
	static T *allocate(std::size_t n)
	{
		void *memory = std::calloc(n ? n : 1, sizeof(T));

		if (!memory)
			BSP_PLAIN(bsp_abort)("no memory for an area of %lu elements",
					     static_cast<unsigned long>(n));
		return static_cast<T *>(memory);
	}

	static bsp_size_t bytes(std::size_t n, const char *call)
	{
		return detail::bytes(n, sizeof(T), call);
	}

	void push(const char *site)
	{
		site_of_push = site;
		BSP_PLAIN(bsp_push_reg_at)(site, all.data(), bytes(all.size(), "bsp_push_reg"));
	}

	span<T> all;
	bool is_own;
	const char *site_of_push;
};

/* bsp_section(): the program is in a section of this name while the object lives. */
class section {
public:
	explicit section(const char *name, const char *site = BSP_AREA_SITE)
		: name_of_it(name ? name : ""), where(site)
	{
		BSP_PLAIN(bsp_section_at)(site, name);
	}

	~section()
	{
		BSP_PLAIN(bsp_section_end_at)(where, name_of_it.c_str());
	}

	section(const section &) = delete;
	section &operator=(const section &) = delete;

private:
	std::string name_of_it;
	const char *where;
};

/*
 * Between bsp_begin() and bsp_end(): @function on each of up to @maxprocs processes. An exception
 * that leaves it ends the job with a message; none is seen by another process.
 */
template<typename F> void spmd(F function, bsp_nprocs_t maxprocs = BSP_PLAIN(bsp_nprocs)(),
			       const char *site = BSP_AREA_SITE)
{
	BSP_PLAIN(bsp_begin_at)(site, maxprocs);
	try {
		function();
	} catch (const std::exception &e) {
		BSP_PLAIN(bsp_abort)("an exception has left the SPMD part: %s", e.what());
	} catch (...) {
		BSP_PLAIN(bsp_abort)("an exception has left the SPMD part");
	}
	BSP_PLAIN(bsp_end_at)(site);
	detail::release(detail::retired());
}

}

#endif
