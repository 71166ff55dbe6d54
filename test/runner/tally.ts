import { readResults } from './report.ts';
import { tallyLine, tallyOf } from './results.ts';

/** Prints the tally of several runs as one: `node test/runner/tally.ts gate rest`. */
const lanes = process.argv.slice(2);
console.log(tallyLine(tallyOf(lanes.flatMap((lane) => readResults(lane).files))));
