/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_site.h - the call site of a call of the library; not for users. */

/*
 * Messages name the call site, "file:line". So the library has each call twice: bsp_put(), which
 * does not know its site, and bsp_put_at(), whose first argument it is.
 *
 * In C the names are macros with arguments: &bsp_put and (bsp_put)(...) are the plain function. A
 * call of a member of that name, x.bsp_put(...), must be written (x.bsp_put)(...).
 *
 * In C++ they are function objects, so that members, local names and namespaces may use
 * the same names. Such an object converts to a pointer to the plain function, and its address is
 * that pointer. The plain functions are in namespace bsp_plain.
 *
 * A site is the address of a text "file:line"; or, with its top bit set, that of the compiler's
 * record of a call in a C++ program, or of the name of a file with the line in bits 48 to 62, up to
 * 32767, from compilers that make no such records; or, without a line and odd, that of the
 * instruction that calls, from languages without either; or, with 2 in its top three bits, no
 * address but a number of a file and a line, from languages without instructions (bsp/binding.h).
 *
 * A program that defines BSP_NO_CALL_SITES gets the plain functions alone, and messages without
 * call sites.
 */
#ifndef BSP_SITE_H
#define BSP_SITE_H

/* The call looks at the address alone, not at what is there, which may have no value yet. */
#ifndef BSP_NAMED
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define BSP_NAMED(argument) __attribute__((access(none, argument)))
#else
#define BSP_NAMED(argument)
#endif
#endif

/* Around declarations of calls. */
#ifndef __cplusplus
#define BSP_BEGIN
#define BSP_END
#elif defined(BSP_NO_CALL_SITES)
#define BSP_BEGIN extern "C" {
#define BSP_END }
#else
#define BSP_BEGIN extern "C" { namespace bsp_plain {
#define BSP_END } }
#endif

#ifndef __cplusplus

#define BSP_SITE_TEXT(line) #line
#define BSP_SITE_LINE(line) BSP_SITE_TEXT(line)
#define BSP_SITE __FILE__ ":" BSP_SITE_LINE(__LINE__)

/*
 * A compiler ends a function with a jump to the call that is its last, and then a recording, which
 * looks for the caller of the function, finds no frame of it. So an empty piece of assembler comes
 * behind each call that is recorded. The functions that have it are always inlined. They are not
 * static, as inline functions of a program that are not static may call no static ones.
 */
#ifdef __GNUC__
#define BSP_KEPT __attribute__((always_inline, gnu_inline)) extern __inline__
#define BSP_RETURNS(call) ((call), bsp_returned())

BSP_KEPT void bsp_returned(void)
{
	__asm__ __volatile__("");
}

BSP_KEPT int bsp_returned_int(int x)
{
	bsp_returned();
	return x;
}

BSP_KEPT char bsp_returned_char(char x)
{
	bsp_returned();
	return x;
}

BSP_KEPT float bsp_returned_float(float x)
{
	bsp_returned();
	return x;
}

BSP_KEPT double bsp_returned_double(double x)
{
	bsp_returned();
	return x;
}

BSP_KEPT unsigned long bsp_returned_request(unsigned long r)
{
	bsp_returned();
	return r;
}
#else
#define BSP_RETURNS(call) call
#define bsp_returned_int(call) call
#define bsp_returned_char(call) call
#define bsp_returned_float(call) call
#define bsp_returned_double(call) call
#define bsp_returned_request(call) call
#endif

#elif !defined(BSP_NO_CALL_SITES)

extern "C++" {		/* even if the program includes all this inside extern "C" */

#ifdef __has_builtin
#if __has_builtin(__builtin_source_location)
#define BSP_SOURCE __builtin_source_location()
#endif
#endif

/* As a default argument it is that of the call. */
#ifdef BSP_SOURCE
#define BSP_SITE ((const char *)((unsigned long)BSP_SOURCE | 1ul << 63))
#if __cplusplus > 201703L
#include <source_location>
#else
/* The compiler's record has this form and this name in every C++, and a header from C++20 on. */
namespace std {
struct source_location {
	struct __impl {
		const char *_M_file_name, *_M_function_name;
		unsigned int _M_line, _M_column;
	};
};
}
#endif
#else
#define BSP_SITE bsp_site(__builtin_FILE(), __builtin_LINE())
inline const char *bsp_site(const char *file, unsigned long line)
{
	return (const char *)((unsigned long)file | (line < 32767 ? line : 32767) << 48 |
			      1ul << 63);
}
#endif

#define BSP_INLINE __attribute__((always_inline)) inline

/*
 * As in C, what comes behind a call: the comma of void is that of the language, and others are the
 * operator. An object that ends would do as well, but each call would have a handler of exceptions.
 */
struct bsp_returned {
	BSP_INLINE bsp_returned() { __asm__ __volatile__(""); }
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Weffc++"	/* it has no short cut that would be missed */
template<typename R> BSP_INLINE R operator,(R value, const bsp_returned &)
{
	__asm__ __volatile__("");
	return value;
}
#pragma GCC diagnostic pop

#define BSP_RESULT(R, call) R((call, bsp_returned()))

/* The function @at with the site of the call; for pointers, the function @plain. */
template<typename Plain, typename At, Plain *plain, At *at> struct bsp_call;

#define BSP_CALLED_AS(function) \
	operator function *() const { return plain; } \
	function *operator&() const { return plain; }

template<typename R, R (*plain)(), R (*at)(const char *)>
struct bsp_call<R(), R(const char *), plain, at> {
	typedef R function();
	BSP_INLINE R operator()(const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, R (*plain)(A), R (*at)(const char *, A)>
struct bsp_call<R(A), R(const char *, A), plain, at> {
	typedef R function(A);
	BSP_INLINE R operator()(A a, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, R (*plain)(A, B), R (*at)(const char *, A, B)>
struct bsp_call<R(A, B), R(const char *, A, B), plain, at> {
	typedef R function(A, B);
	BSP_INLINE R operator()(A a, B b, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, typename C, R (*plain)(A, B, C),
	 R (*at)(const char *, A, B, C)>
struct bsp_call<R(A, B, C), R(const char *, A, B, C), plain, at> {
	typedef R function(A, B, C);
	BSP_INLINE R operator()(A a, B b, C c, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b, c));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, typename C, typename D, R (*plain)(A, B, C, D),
	 R (*at)(const char *, A, B, C, D)>
struct bsp_call<R(A, B, C, D), R(const char *, A, B, C, D), plain, at> {
	typedef R function(A, B, C, D);
	BSP_INLINE R operator()(A a, B b, C c, D d, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b, c, d));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, typename C, typename D, typename E,
	 R (*plain)(A, B, C, D, E), R (*at)(const char *, A, B, C, D, E)>
struct bsp_call<R(A, B, C, D, E), R(const char *, A, B, C, D, E), plain, at> {
	typedef R function(A, B, C, D, E);
	BSP_INLINE R operator()(A a, B b, C c, D d, E e, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b, c, d, e));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, typename C, typename D, typename E, typename F,
	 R (*plain)(A, B, C, D, E, F), R (*at)(const char *, A, B, C, D, E, F)>
struct bsp_call<R(A, B, C, D, E, F), R(const char *, A, B, C, D, E, F), plain, at> {
	typedef R function(A, B, C, D, E, F);
	BSP_INLINE R operator()(A a, B b, C c, D d, E e, F f, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b, c, d, e, f));
	}
	BSP_CALLED_AS(function)
};

/*
 * The same for calls with an area that is only named: BSP_NAMED counts the object as the first
 * argument.
 */
template<typename Plain, typename At, Plain *plain, At *at> struct bsp_area_call;

template<typename R, typename A, R (*plain)(A), R (*at)(const char *, A)>
struct bsp_area_call<R(A), R(const char *, A), plain, at> {
	typedef R function(A);
	BSP_NAMED(2) BSP_INLINE R operator()(A a, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, R (*plain)(A, B), R (*at)(const char *, A, B)>
struct bsp_area_call<R(A, B), R(const char *, A, B), plain, at> {
	typedef R function(A, B);
	BSP_NAMED(2) BSP_INLINE R operator()(A a, B b, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b));
	}
	BSP_CALLED_AS(function)
};

template<typename R, typename A, typename B, typename C, typename D, typename E,
	 R (*plain)(A, B, C, D, E), R (*at)(const char *, A, B, C, D, E)>
struct bsp_area_call<R(A, B, C, D, E), R(const char *, A, B, C, D, E), plain, at> {
	typedef R function(A, B, C, D, E);
	BSP_NAMED(3) BSP_INLINE R operator()(A a, B b, C c, D d, E e,
					     const char *site = BSP_SITE) const
	{
		return BSP_RESULT(R, at(site, a, b, c, d, e));
	}
	BSP_CALLED_AS(function)
};

/* Calls with one number, which the library tells apart by name and operator. */
template<typename T, T (*at)(const char *, const char *, int, T)> struct bsp_number_call {
	typedef T function(T);
	function *plain;
	const char *name;
	int op;
	BSP_INLINE T operator()(T x, const char *site = BSP_SITE) const
	{
		return BSP_RESULT(T, at(site, name, op, x));
	}
	BSP_CALLED_AS(function)
};

#if __cplusplus >= 201703L
#define BSP_OBJECT inline constexpr
#else
#define BSP_OBJECT __attribute__((unused)) static const
#endif

/*
 * The rows of the tables of names. In a namespace, as a function of C and a variable cannot both be
 * global.
 */
#define BSP_CALL_BY(kind, name, at) \
	namespace bsp_calls { \
	BSP_OBJECT kind<__typeof__(bsp_plain::name), __typeof__(bsp_plain::at), \
			bsp_plain::name, bsp_plain::at> name = {}; \
	} \
	using bsp_calls::name
#define BSP_CALL(name, at) BSP_CALL_BY(bsp_call, name, at)
#define BSP_AREA_CALL(name, at) BSP_CALL_BY(bsp_area_call, name, at)
#define BSP_NUMBER_CALL(type, name, at, op) \
	namespace bsp_calls { \
	BSP_OBJECT bsp_number_call<type, bsp_plain::at> name = { bsp_plain::name, #name, op }; \
	} \
	using bsp_calls::name

}

#endif

#endif
