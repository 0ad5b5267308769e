/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp.hpp - the C++ class of MulticoreBSP, for programs written for that. */

/*
 *	class Hello : public mcbsp::BSP_program {
 *	protected:
 *		void spmd() { printf("%u of %u\n", bsp_pid(), bsp_nprocs()); }
 *		BSP_program *newInstance() { return new Hello(); }
 *	};
 *
 *	int main()
 *	{
 *		Hello program;
 *
 *		program.begin(4);
 *	}
 */
#ifndef BSP_HPP
#define BSP_HPP

#include <mcbsp.h>

namespace mcbsp {

class BSP_program {
public:
	virtual ~BSP_program() {}

	/* Run spmd() on up to @maxprocs processes. Only process 0 returns; it uses this object. */
	void begin(bsp_nprocs_t maxprocs = bsp_nprocs())
	{
		part().root = this;
		part().maxprocs = maxprocs;
		if (!part().announced) {
			part().announced = true;
			bsp_init(run, 0, NULL);
		}
		run();
	}

	/* Destroys an object that newInstance() has made. */
	virtual void destroyInstance(BSP_program *instance) { delete instance; }

protected:
	BSP_program() {}

	/* Between bsp_begin() and bsp_end(). */
	virtual void spmd() = 0;

	/* The object of a process other than 0; by default a copy of that of process 0. */
	virtual BSP_program *newInstance() { return this; }

private:
	struct Part {
		BSP_program *root;
		bsp_nprocs_t maxprocs;
		bool announced;
	};

	static Part &part()
	{
		static Part one = { NULL, 0, false };

		return one;
	}

	static void run()
	{
		BSP_program *root = part().root, *own;

		bsp_begin(part().maxprocs);
		own = bsp_pid() == 0 ? root : root->newInstance();
		if (!own)
			bsp_abort("BSP_program: newInstance() returned NULL");
		own->spmd();
		if (own != root)
			root->destroyInstance(own);
		bsp_end();
	}
};

}

using mcbsp::BSP_program;

#endif
