/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - goes once through the inputs of a corpus, where there is no libFuzzer. */

/*
 *	fuzz_X [-option]... FILE-OR-DIRECTORY...
 *
 * Options are those of libFuzzer, and mean nothing here.
 */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long inputs;

/* Memory of exactly that size, so that a sanitizer sees reads beyond it. */
static int replay(const char *name, const struct stat *st, int what)
{
	size_t size = (size_t)st->st_size;
	uint8_t *data;
	FILE *in;

	if (what != FTW_F)
		return 0;
	in = fopen(name, "rb");
	data = malloc(size ? size : 1);
	if (!in || !data || fread(data, 1, size, in) != size) {
		perror(name);
		exit(1);
	}
	fclose(in);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	inputs++;
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] != '-' && ftw(argv[i], replay, 8)) {
			perror(argv[i]);
			return 1;
		}
	}
	printf("%lu inputs\n", inputs);
	return 0;
}
