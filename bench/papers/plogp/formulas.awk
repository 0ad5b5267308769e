# SPDX-License-Identifier: BSD-3-Clause
# formulas.awk - the models of Tables 1 to 3 as they are printed, beside what bspprobe predicts.

# awk -F, -f formulas.awk P=PROCESSES PARAMETERS ROWS: both as bspprobe --csv prints them. Each
# strategy is a panel with the series "as printed", "ours" and "measured" over bytes.

# g(m), between measured sizes and beyond them along the line through the nearest two
function g(m, i)
{
	if (m <= size[1])
		return gap[1]
	for (i = 2; i < sizes && size[i] < m; i++)
		;
	return gap[i - 1] + (gap[i] - gap[i - 1]) * (m - size[i - 1]) / (size[i] - size[i - 1])
}

function up(n, k)
{
	for (k = 0; 2 ^ k < n; k++)
		;
	return k
}

function down(n, k)
{
	for (k = 0; 2 ^ (k + 1) <= n; k++)
		;
	return k
}

# Table 1; s is the size of segments, of which there are k
function bcast(name, m, s, k)
{
	if (name == "linear")
		return (P - 1) * g(m) + L
	if (name == "linear-rendezvous")
		return (P - 1) * g(m) + 2 * g(1) + 3 * L
	if (name == "segmented-linear")
		return (P - 1) * (g(s) * k) + L
	if (name == "chain")
		return (P - 1) * (g(m) + L)
	if (name == "chain-rendezvous")
		return (P - 1) * (g(m) + 2 * g(1) + 3 * L)
	if (name == "segmented-chain")
		return (P - 1) * (g(s) + L) + g(s) * (k - 1)
	if (name == "binary")
		return up(P) * (2 * g(m) + L)
	if (name == "binomial")
		return down(P) * g(m) + up(P) * L
	if (name == "binomial-rendezvous")
		return down(P) * g(m) + up(P) * (2 * g(1) + 3 * L)
	if (name == "segmented-binomial")
		return down(P) * g(s) * k + up(P) * L
	return 0
}

# Table 2; m is a block
function scatter(name, m, j, sum)
{
	sum = 0
	if (name == "linear")
		return (P - 1) * g(m) + L
	if (name == "pipelined-chain")
		return (P - 1) * (g(m) + L)
	if (name == "chain") {
		for (j = 1; j < P; j++)
			sum += g(j * m)
		return sum + (P - 1) * L
	}
	if (name == "binomial") {
		for (j = 0; j < up(P); j++)
			sum += g(2 ^ j * m)
		return sum + up(P) * L
	}
	return 0
}

function printed(kind, name, m, s, k)
{
	if (kind == "bcast")
		return bcast(name, m, s, k)
	return scatter(name, m)
}

FNR == 1 {
	file++
	next
}
file == 1 && $1 == "L" {
	L = $3
}
file == 1 && $1 == "g" && $2 > 0 {
	size[++sizes] = $2
	gap[sizes] = $3
}
file == 2 && $3 == P {
	s = $5 > 0 ? $5 : $4
	k = s > 0 ? int(($4 + s - 1) / s) : 1
	value = printed($1, $2, $4, s, k)
	if (value > 0) {
		printf "%s/as printed,%d,%g,,,us\n", $2, $4, value
		printf "%s/ours,%d,%g,,,us\n", $2, $4, $6
		printf "%s/measured,%d,%g,%g,%g,us\n", $2, $4, $7, $8, $9
	}
}
