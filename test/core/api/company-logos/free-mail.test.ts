import { expect } from 'chai';
import { isFreeMail } from '../../../../core/api/company-logos/free-mail.ts';

describe('domains of mailboxes for anybody', () => {
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
    it(`${domain} is one`, () => expect(isFreeMail(domain)).to.equal(true));

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
    it(`${domain} is none`, () => expect(isFreeMail(domain)).to.equal(false));
});
