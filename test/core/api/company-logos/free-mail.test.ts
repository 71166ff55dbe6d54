import { expect } from 'chai';
import { isFreeMail } from '../../../../core/api/company-logos/free-mail.ts';

describe('free-mail domains', () => {
  for (const domain of [
    'gmail.com',
    'yahoo.com',
    'yahoo.co.uk',
    'yahoo.com.br',
    'hotmail.fr',
    'outlook.de',
    'live.co.uk',
    'web.de',
  ])
    it(`include ${domain}`, () => expect(isFreeMail(domain)).to.equal(true));

  for (const domain of [
    'acme.example',
    'yahoo.acme.com',
    'mail.yahoo.com',
    'outlook.agency',
    'web.com',
    'live.io',
    'notgmail.com',
    'gmail',
  ])
    it(`do not include ${domain}`, () => expect(isFreeMail(domain)).to.equal(false));
});
