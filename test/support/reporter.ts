import Mocha from 'mocha';

/** The spec reporter, plus a list of what was skipped and the closing line that CI reads: "12 passed, 0 failed, 1 skipped". */
export default class SpecWithTally extends Mocha.reporters.Spec {
  readonly #skipped: string[] = [];

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on(Mocha.Runner.constants.EVENT_TEST_PENDING, (test) => this.#skipped.push(test.fullTitle()));
  }

  override epilogue(): void {
    super.epilogue();
    for (const title of this.#skipped) console.log(`SKIPPED: ${title}`);
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}
