import { decide } from '../browser-window.ts';
import { connectUrl } from '../connect.ts';
import { newLaunchId } from '../window-flow.ts';
import type { Tour } from './tour.ts';

const MINUTE = 60_000;

type Walk = (tour: Tour) => Promise<void>;

/** Walks through the service's pages that are shown by themselves and not inside a page of the application. */
export const PAGE_WALKS: Readonly<Record<string, Walk>> = {
  link,
  'end-of-a-link': endOfLink,
  launch,
  'results-in-a-tab': results,
  docs,
};

async function link(tour: Tour): Promise<void> {
  await tour.visit(await tour.newLink(), (page) => tour.show('link-picker', page, tour.say('pick_heading')));
  await tour.visit(await tour.newLink('desk'), (page) => tour.show('link-form', page, tour.say('connect_heading', 'desk')));
  const url = await tour.newLink('notes');
  await tour.visit(url, async (page) => {
    await tour.show('link-sign-in', page, tour.say('connect_heading', 'notes'));
    await tour.click(page, 'continue_to', 'notes');
    await decide(page, 'Deny');
    await tour.show('link-failure', page, tour.say('denied_heading', 'notes'));
    await tour.click(page, 'try_again');
    await tour.click(page, 'continue_to', 'notes');
    await decide(page, 'Allow');
    await tour.show('link-success', page, tour.say('success_heading', 'notes'));
  });
  await tour.visit(url, (page) => tour.show('link-used', page, tour.say('used_heading')));
}

async function endOfLink(tour: Tour): Promise<void> {
  const url = await tour.newLink('notes');
  await tour.setup.app.clock.advance(31 * MINUTE);
  await tour.visit(url, (page) => tour.show('link-expired', page, tour.say('link_expired_heading')));
  await tour.visit(`${tour.setup.app.url}/connect/l`, (page) =>
    tour.show('link-nothing', page, tour.say('link_missing_heading')),
  );
}

/** The launch page of screen C11, which the popup window shows before the provider's page. */
async function launch(tour: Tour): Promise<void> {
  await tour.visit(`${tour.setup.app.url}/connect/launch#${newLaunchId()}`, (page) => tour.look('launch', page));
  await tour.visit(`${tour.setup.app.url}/connect/launch#none`, async (page) => {
    await page.locator('#close').waitFor();
    await tour.look('launch-over', page);
  });
}

/** The result pages in a tab that an application's backend has redirected to the service, without the connect window. */
async function results(tour: Tour): Promise<void> {
  const { app } = tour.setup;
  for (const answer of ['Deny', 'Allow'] as const) {
    await tour.visit(connectUrl(app, { key: 'notes', token: await tour.session('notes') }), async (page) => {
      await decide(page, answer);
      await tour.look(answer === 'Allow' ? 'tab-connected' : 'tab-refused', page);
    });
  }
  await tour.visit(connectUrl(app, { key: 'notes', token: 'none' }), (page) => tour.look('tab-unknown-session', page));
}

async function docs(tour: Tour): Promise<void> {
  await tour.visit(`${tour.setup.app.url}/docs`, (page) => tour.look('docs', page));
}
