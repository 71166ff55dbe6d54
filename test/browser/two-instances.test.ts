import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { connectionsMade } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { freePort } from '../support/free-port.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { use } from '../support/use.ts';

/** Five seconds instead of the promised one, because other tests run at the same time. */
const HEARD_WITHIN_MS = 5_000;

type Route = (path: string) => number;

/** Returns whether the browser requests this path on its way to the provider or back. */
const isOfTravel = (path: string) => /^\/(connect\/launch|oauth\/callback)\b/.test(path);

describe('two instances behind one address, in Chromium', function () {
  const chromium = useChromium(this);
  let ports: readonly number[] = [];
  /** Chooses the instance for each request by its path, as a load balancer without session affinity may do. */
  let route: Route = () => 0;
  let visited: { readonly path: string; readonly instance: number }[] = [];
  const front = use(this, () =>
    startReverseProxy((path) => {
      const instance = route(path);
      visited.push({ path, instance });
      return `http://127.0.0.1:${ports[instance]}`;
    }),
  );
  const setup = use(this, async () => {
    ports = [await freePort(), await freePort()];
    return startConnectInstallation({ env: { SVC_BASE_URL: front.url, PORT: String(ports[0]) } });
  });
  use(this, () => startApp({ env: { ...setup.env, PORT: String(ports[1]) }, database: setup.app.database }));
  const visitor = new LinkVisitor(chromium, setup);

  beforeEach(() => {
    route = () => 0;
    visited = [];
  });

  const made = (run: () => Promise<void>) => connectionsMade(setup.app, run);
  const instancesOf = (isMeant: (path: string) => boolean) => [
    ...new Set(visited.filter(({ path }) => isMeant(path)).map(({ instance }) => instance)),
  ];

  async function toProvider(customer: CustomerPage): Promise<{ readonly frame: Frame; readonly popup: Page }> {
    await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: ['notes'] }) });
    const frame = await customer.frame();
    return { frame, popup: await continueTo(customer, frame, 'Notes') };
  }

  for (const [begins, ends] of [
    [0, 1],
    [1, 0],
  ] as const) {
    it(`the window at instance ${begins} learns at once of a user who comes back at instance ${ends}`, async () => {
      const connections = await made(() =>
        setup.visit(chromium, async (customer) => {
          route = (path) => (isOfTravel(path) ? ends : begins);
          const { frame, popup } = await toProvider(customer);
          const callback = popup.waitForResponse(/\/oauth\/callback/);
          await decide(popup, 'Allow');
          await callback;
          const since = performance.now();
          await expectHeading(frame, 'Notes is connected');
          expect(performance.now() - since).to.be.below(HEARD_WITHIN_MS);
          expect(instancesOf((path) => /^\/connect\/flows/.test(path))).to.deep.equal([begins]);
          expect(instancesOf(isOfTravel)).to.deep.equal([ends]);
        }),
      );
      expect(connections).to.equal(1);
    });
  }

  it('the window and the link connect once each when every request may reach another instance', async () => {
    let requests = 0;
    route = () => requests++ % 2;
    const connections = await made(async () => {
      await setup.visit(chromium, async (customer) => {
        const { frame, popup } = await toProvider(customer);
        await decide(popup, 'Allow');
        await expectHeading(frame, 'Notes is connected');
      });
      await visitor.open(await newLink(setup), (page) => visitor.connect(page));
    });
    expect(connections).to.equal(2);
  });
});
