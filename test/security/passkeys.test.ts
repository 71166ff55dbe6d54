import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { Authenticator } from '../support/dashboard/authenticator.ts';
import {
  askForPasskey,
  beginPasskey,
  byName,
  finish,
  firstStep,
  race,
  withPasskey,
  withPassword,
  withTotp,
} from '../support/dashboard/factors.ts';
import { freePort } from '../support/free-port.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const CONFIRM = '/api/ui/me/confirm';

describe('attacks on the second factor', function () {
  const app = use(this, async () => startApp({ env: byName(await freePort()) }));

  afterEach(() => app.database.db('sign_in_attempts').delete());

  describe('a passkey', () => {
    const forms = {
      'of another origin': { origin: 'https://evil.example' },
      'of a look-alike origin': { origin: 'http://localhost:1' },
      'of another relying party': { rpId: 'evil.example' },
    };
    for (const [what, lie] of Object.entries(forms))
      it(`${what} signs nobody in, and is not enrolled`, async () => {
        const person = await withPasskey(app, await withPassword(app));
        const awaiting = await firstStep(app, person);
        const challenge = await askForPasskey(awaiting);
        const passkey = person.authenticator.assert({ challenge, origin: app.url, ...lie });
        expectError(await finish(awaiting, { passkey }), 'invalid_login');
        const registered = new Authenticator().register({ challenge: await beginPasskey(person), origin: app.url, ...lie });
        expectError(
          await person.ui.post('/api/ui/me/factors/passkeys/confirm', { name: 'x', passkey: registered }),
          'invalid_body',
        );
      });

    it('opens one session, however often its assertion is sent', async () => {
      const person = await withPasskey(app, await withPassword(app));
      const awaiting = await firstStep(app, person);
      const passkey = person.authenticator.assert({ challenge: await askForPasskey(awaiting), origin: app.url });
      expect((await race(10, () => finish(awaiting, { passkey })))[200]).to.equal(1);
      const later = await firstStep(app, person);
      await askForPasskey(later);
      expectError(await finish(later, { passkey }), 'invalid_login');
    });

    it('has one attempt for each challenge', async () => {
      const person = await withPasskey(app, await withPassword(app));
      const awaiting = await firstStep(app, person);
      const challenge = await askForPasskey(awaiting);
      expectError(
        await finish(awaiting, { passkey: new Authenticator().assert({ challenge, origin: app.url }) }),
        'invalid_login',
      );
      const right = person.authenticator.assert({ challenge, origin: app.url });
      expectError(await finish(awaiting, { passkey: right }), 'invalid_login');
    });

    it('is refused for a challenge of another session or member, of an enrolment, or an earlier one', async () => {
      const [person, thief] = [await withPasskey(app, await withPassword(app)), await withPasskey(app, await withPassword(app))];
      const [awaiting, other] = [await firstStep(app, person), await firstStep(app, person)];
      const origin = app.url;
      const old = await askForPasskey(awaiting);
      await askForPasskey(awaiting);
      const challenges = [await askForPasskey(other), await askForPasskey(thief), await beginPasskey(person), old];
      for (const challenge of challenges) {
        await askForPasskey(awaiting);
        expectError(await finish(awaiting, { passkey: person.authenticator.assert({ challenge, origin }) }), 'invalid_login');
      }
      const asked = await askForPasskey(awaiting);
      expectError(await finish(awaiting, { passkey: thief.authenticator.assert({ challenge: asked, origin }) }), 'invalid_login');
    });

    it('confirms nothing if its challenge is older than ten minutes', async () => {
      const person = await withPasskey(app, await withPassword(app));
      const challenge = await askForPasskey(person);
      await app.clock.advance(10 * 60_000, app.database.db);
      const passkey = person.authenticator.assert({ challenge, origin: app.url });
      expectError(await person.ui.post(CONFIRM, { passkey }), 'invalid_login');
    });

    it('signs nobody in if its counter goes backwards, like that of a copy', async () => {
      const person = await withPasskey(app, await withPassword(app));
      const assert = async (counter: number) => {
        const awaiting = await firstStep(app, person);
        const passkey = person.authenticator.assert({ challenge: await askForPasskey(awaiting), origin: app.url }, { counter });
        return finish(awaiting, { passkey });
      };
      expect((await assert(9)).status).to.equal(200);
      for (const counter of [9, 3]) expectError(await assert(counter), 'invalid_login');
      expect((await assert(10)).status).to.equal(200);
    });

    it('signs nobody in after its removal, even in a sign-in that began before', async () => {
      const person = await withPasskey(app, await withTotp(app));
      const awaiting = await firstStep(app, person);
      const challenge = await askForPasskey(awaiting);
      const { factors } = (await person.ui.get('/api/ui/me/factors')).body.data;
      expect((await person.ui.delete(`/api/ui/me/factors/${factors[1].id}`)).status).to.equal(204);
      const passkey = person.authenticator.assert({ challenge, origin: app.url });
      expectError(await finish(awaiting, { passkey }), 'invalid_login');
    });

    it('is refused with a certificate, which was not requested and whose check would call addresses that it names', async () => {
      const person = await withPassword(app);
      const passkey = new Authenticator().register(
        { challenge: await beginPasskey(person), origin: app.url },
        { attested: Buffer.from('a certificate') },
      );
      expectError(await person.ui.post('/api/ui/me/factors/passkeys/confirm', { name: 'x', passkey }), 'invalid_body');
    });

    it('is enrolled once for each challenge, even by ten requests at once', async () => {
      const person = await withPassword(app);
      const passkey = new Authenticator().register({ challenge: await beginPasskey(person), origin: app.url });
      const send = () => person.ui.post('/api/ui/me/factors/passkeys/confirm', { name: 'x', passkey });
      expect(await race(10, send)).to.deep.equal({ 201: 1, 409: 9 });
    });

    it('is not enrolled by random bytes', async () => {
      const person = await withPassword(app);
      for (const attestationObject of ['', 'oA', 'AAAA', Buffer.alloc(9_000, 0xff).toString('base64url')]) {
        const made = new Authenticator().register({ challenge: await beginPasskey(person), origin: app.url });
        const passkey = { ...made, response: { ...made.response, attestationObject } };
        const refused = await person.ui.post('/api/ui/me/factors/passkeys/confirm', { name: 'x', passkey });
        expect(refused.status).to.equal(400);
      }
    });
  });
});
