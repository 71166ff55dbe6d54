import { FakeApplication } from './fake-application.ts';
import type { Exchange } from './scripted-server/scripted-server.ts';

/** An application that receives webhooks and records in `most` the largest number of simultaneous requests. */
export class CountingApplication extends FakeApplication {
  most = 0;
  #parallel = 0;

  static async start(): Promise<CountingApplication> {
    const application = new CountingApplication();
    await application.listen();
    return application;
  }

  protected override received({ response }: Exchange): void {
    this.#parallel += 1;
    this.most = Math.max(this.most, this.#parallel);
    response.once('close', () => {
      this.#parallel -= 1;
    });
  }
}
