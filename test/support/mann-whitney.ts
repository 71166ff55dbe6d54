/**
 * Returns the probability that two samples from one distribution differ by chance at least as much as these two (Mann–Whitney U,
 * two-sided, in its normal approximation; ties count half).
 *
 * @returns p, from 0 to 1
 */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  all.sort((left, right) => left.value - right.value);
  let rankSum = 0;
  let ties = 0;
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && all[end]?.value === all[at]?.value) end += 1;
    const rank = (at + 1 + end) / 2;
    for (let index = at; index < end; index += 1) if (all[index]?.isOne) rankSum += rank;
    ties += (end - at) ** 3 - (end - at);
    at = end;
  }
  const [n, m] = [one.length, other.length];
  const total = n + m;
  const mean = (n * m) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))));
  const z = Math.abs(rankSum - (n * (n + 1)) / 2 - mean) / deviation;
  return 2 * (1 - normalBelow(z));
}

/** Returns the standard normal distribution function at `z` ≥ 0 (Abramowitz and Stegun 7.1.26; the error is below 1.5e-7). */
function normalBelow(z: number): number {
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 1 - 0.5 * series * Math.exp((-z * z) / 2);
}
