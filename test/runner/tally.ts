import { type RunResults, readResults } from './report.ts';
import { tallyLine } from './results.ts';

/** Prints the tally of several runs as one: `node test/runner/tally.ts gate rest`. */

const tallies = process.argv.slice(2).map((lane) => readResults(lane).tally);
const sum = (of: keyof RunResults['tally']) => tallies.reduce((total, tally) => total + tally[of], 0);
console.log(tallyLine({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }));
