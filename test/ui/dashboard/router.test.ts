import { expect } from 'chai';
import { Navigation } from '../../../ui/dashboard/app/history.ts';
import { matchRoute, pathOf, placeOf, returnPath } from '../../../ui/dashboard/app/router.ts';

const BASE = 'https://svc.example/below/';
const ROUTES = ['e/:env/logs', 'e/:env/logs/new', 'e/:env/logs/:id'].map((path) => ({ path }));

describe('the routes of the dashboard', () => {
  const MATCHES = {
    'e/dev/logs': ['e/:env/logs', { env: 'dev' }],
    'e/dev/logs/new': ['e/:env/logs/new', { env: 'dev' }],
    'e/dev/logs/a%2Fb%20c': ['e/:env/logs/:id', { env: 'dev', id: 'a/b c' }],
  };
  for (const [path, expected] of Object.entries(MATCHES))
    it(`find ${path}`, () => {
      const found = matchRoute(ROUTES, path);
      expect([found?.route.path, found?.params]).to.deep.equal(expected);
    });

  for (const path of ['', 'e/dev', 'e//logs', 'e/dev/logs/1/2', 'e/dev/logs/%ff', 'e/dev/Logs'])
    it(`find nothing at "${path}"`, () => expect(matchRoute(ROUTES, path)).to.equal(undefined));

  it('escape values in an address so that they are read back unchanged', () => {
    expect(matchRoute(ROUTES, pathOf(['e', 'dev', 'logs', 'a/ü?#']))?.params).to.deep.equal({ env: 'dev', id: 'a/ü?#' });
  });
});

describe('places', () => {
  it('are paths below the base path, without a slash at their ends', () => {
    expect(placeOf('https://svc.example/below/e/dev/?q=1', BASE)?.path).to.equal('e/dev');
    expect(placeOf('e/dev?q=1#x', BASE)?.query.get('q')).to.equal('1');
    for (const foreign of ['https://svc.example/other', 'https://evil.example/below/e', '//evil.example/below/e'])
      expect(placeOf(foreign, BASE), foreign).to.equal(undefined);
  });

  it('can be returned to after the sign-in only if they are pages of the dashboard', () => {
    expect(returnPath('e/dev/logs?type=proxy', BASE)).to.equal('e/dev/logs?type=proxy');
    for (const wanted of [
      null,
      '',
      'login',
      'docs',
      'https://evil.example/e/dev',
      '//evil.example/e/dev',
      '\\\\evil.example\\e',
      '../e/dev',
    ])
      expect(returnPath(wanted, BASE), String(wanted)).to.equal('');
    expect(returnPath('javascript:alert(1)', BASE)).to.equal('');
  });
});

describe('steps within the dashboard', () => {
  function start() {
    const entries = [{ url: `${BASE}e/dev/logs?type=proxy`, state: null as unknown }];
    let at = 0;
    let scrollTop = 0;
    const history = {
      scrollRestoration: 'auto' as 'auto' | 'manual',
      get state() {
        return entries[at]?.state;
      },
      pushState(state: unknown, _: string, url: string) {
        entries.splice(at + 1, entries.length, { url, state });
        at += 1;
      },
      replaceState(state: unknown, _: string, url: string) {
        entries[at] = { url, state };
      },
    };
    const navigation = new Navigation({ base: BASE, history, href: () => entries[at]?.url ?? '', scrollY: () => scrollTop });
    const back = () => {
      at -= 1;
      navigation.popped();
    };
    return { navigation, entries, back, scroll: (top: number) => (scrollTop = top) };
  }

  it('keep the previous page and its scroll position', () => {
    const { navigation, back, scroll } = start();
    scroll(640);
    navigation.go('e/dev/logs/7');
    scroll(0);
    expect([navigation.place.path, navigation.arrival, navigation.scrollTop]).to.deep.equal(['e/dev/logs/7', 'forth', 0]);
    back();
    expect([navigation.place.query.get('type'), navigation.arrival, navigation.scrollTop]).to.deep.equal(['proxy', 'back', 640]);
  });

  it('add nothing to the history if they change only filters, and are announced', () => {
    const { navigation, entries } = start();
    const told: string[] = [];
    const stop = navigation.subscribe(() => told.push(String(navigation.place.query)));
    navigation.replace('e/dev/logs?type=auth');
    stop();
    navigation.replace('e/dev/logs');
    expect([told, entries.length, navigation.arrival]).to.deep.equal([['type=auth'], 1, 'replaced']);
  });
});
