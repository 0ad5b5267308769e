/* SPDX-License-Identifier: BSD-3-Clause */
/* binding.h - what bindings of bsp.h for other languages need of the library. */

/*
 * A binding makes the calls that bsp_names.h declares, bsp_put_at() and the others, with a call
 * site of one of the kinds of bsp_site.h. In a language whose compiler has no macros that is the
 * address of an instruction, made by bsp_site_of_return(): only where a message needs its text does
 * the library ask the binding for file and line. In a language without a compiler it is a number,
 * made by bsp_site_of_line().
 */
#ifndef BSP_BINDING_H
#define BSP_BINDING_H

#include <bsp.h>

BSP_BEGIN
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * bsp_source_finder - find the line of a program that an instruction belongs to
 * @code: an address inside the instruction
 * @file: out: name of the file, which stays where it is
 * @line: out: the line
 *
 * Returns 1 if it is known, else 0. It is called by one thread at a time, also after bsp_end() and
 * in the process that watches over the others.
 */
typedef int bsp_source_finder(const void *code, const char **file, unsigned int *line);

/** bsp_find_sources_by - name the function that knows the lines of instructions; NULL: none */
void bsp_find_sources_by(bsp_source_finder *finder);

/**
 * bsp_site_of_line - the call site of a line, for languages without either text or instruction
 * @file: name of the file, which is copied
 * @line: the line; above 2097151 it is that
 *
 * Returns a site, the same for the same line in all processes; NULL, which is no site, without
 * memory. Other processes know the name of the file if they have named it, too, or are on the same
 * node and it is one of the first 48 there. A binding keeps the sites: each call looks for the file
 * among all. By the thread that makes the calls.
 */
const char *bsp_site_of_line(const char *file, unsigned int line);

/**
 * bsp_caller_finder - say from where the function is called that makes the call under way
 * @site:   call site of the call, which bsp_site_of_line() has made
 * @caller: where it puts "step() heat.py:31": the function that calls it, with the line, 400 bytes
 *	    at most. NULL is there, which says that it is not known, as after an exception.
 *
 * The text stays where it is until the program ends, and for the same line it is at the same place,
 * as the library compares addresses. It is called only while a run is recorded, by the thread that
 * makes the call, inside of it, and makes no call of the library.
 */
typedef void bsp_caller_finder(const char *site, const char **caller);

/**
 * bsp_find_callers_by - name the function that knows callers; NULL: none
 *
 * For sites that are numbers. Where they are instructions or texts the library unwinds the stack,
 * so a binding in a language with a compiler needs none.
 */
void bsp_find_callers_by(bsp_caller_finder *finder);

/**
 * bsp_refuse_at - end the job with a message of the binding's
 * @site: call site, or NULL
 * @call: name of the call
 * @text: what is wrong with its arguments, where, and what to do
 *
 * The message is "call: text (process p, superstep s, file:line)", as those of the library are.
 */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void bsp_refuse_at(const char *site, const char *call, const char *text);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
BSP_END

/*
 * The site of the call that returns to @address, which is behind the call instruction: an odd
 * address inside that.
 */
static inline const char *bsp_site_of_return(const void *address)
{
	return (const char *)((((unsigned long)address - 2) | 1) | 1ul << 63);
}

#endif
