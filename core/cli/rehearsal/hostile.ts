import { comeBack, enter, goToProvider, type RehearsedConnection } from './connect.ts';
import { escapingValue, filledPlacesOf } from './hostile-values.ts';
import type { RehearsalStage } from './stage.ts';
import { notApplicable, ok, RehearsalFault, type RehearsalOutcome } from './step.ts';

const EVIL = 'evil.example';
const EVIL_VALUES = [`https://${EVIL}`, EVIL, `${EVIL}/.good`, `good@${EVIL}`, `//${EVIL}`];

/** Checks that values which users enter lead no URL of the definition elsewhere. */
export async function refuseHostileValues({ definition, source }: RehearsalStage): Promise<RehearsalOutcome> {
  const places = filledPlacesOf(definition);
  if (places.length === 0) return notApplicable('no URL contains a field');
  for (const place of places) {
    const value = escapingValue(place, source);
    if (value !== undefined)
      throw new RehearsalFault(
        `the value ${JSON.stringify(value.slice(0, 40))} of \${${place.placeholder}} makes ${place.path.join('.')} point to another host`,
        {
          path: place.path.map(String),
          advice: 'give the field a stricter `pattern`',
        },
      );
  }
  const names = new Set(places.map(({ placeholder }) => placeholder));
  return ok(`${[...names].join(', ')}: no value makes a URL point to another host`);
}

/** Checks that parameters of the callback lead no request elsewhere: a browser brings them, so anybody can make them up. */
export async function refuseHostileCallback(stage: RehearsalStage): Promise<RehearsalOutcome> {
  if (stage.mode.begin === undefined) return notApplicable('there is no callback');
  const names = stage.definition.redirect_uri_metadata ?? [];
  for (const name of [...names, 'base_url', 'token_url'])
    for (const value of EVIL_VALUES) {
      const back = await goToProvider(stage);
      const query = { ...back.end.query, [name]: value };
      await settled(comeBack(stage, { ...back, end: { ...back.end, query } }));
      if (wasCalled(stage))
        throw new RehearsalFault(`${name} of the callback can choose the host that secrets are sent to`, {
          path: ['redirect_uri_metadata'],
          advice: `declare connection_config.${name} with a \`pattern\` that allows only hosts of the provider`,
        });
    }
  return ok(`${names.length === 0 ? 'the callback' : names.join(', ')} cannot send a request to another host`);
}

/** Checks that a redirect of the token endpoint is not followed: the request carries secrets. */
export async function refuseRedirectedTokens(stage: RehearsalStage): Promise<RehearsalOutcome> {
  if (stage.definition.token_url === undefined) return notApplicable('there is no token endpoint');
  const redirect = { status: 307, headers: { location: `https://${EVIL}/token` } };
  let asked = 0;
  const attempt = () =>
    stage.mode.begin === undefined ? enter(stage) : goToProvider(stage).then((back) => comeBack(stage, back));
  const result = await stage.provider.during(
    (request) => {
      if (!stage.isTokenCall(request)) return undefined;
      asked += 1;
      return redirect;
    },
    () => settled(attempt()),
  );
  if (asked === 0) return notApplicable('connecting does not call the token endpoint');
  if (wasCalled(stage)) throw new RehearsalFault('a redirect of the token endpoint was followed', { path: ['token_url'] });
  if (result !== undefined)
    throw new RehearsalFault('a redirect of the token endpoint was accepted as a token response', { path: ['token_url'] });
  return ok('a redirect of the token endpoint is refused');
}

function wasCalled({ provider }: RehearsalStage): boolean {
  return provider.requests.some(({ url }) => url.hostname === EVIL || url.hostname.endsWith(`.${EVIL}`));
}

/** @returns undefined if the connection was refused */
async function settled(work: Promise<RehearsedConnection>): Promise<RehearsedConnection | undefined> {
  return work.catch(() => undefined);
}
