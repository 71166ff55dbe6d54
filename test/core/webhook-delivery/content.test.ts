import { expect } from 'chai';
import { KeyRing, newKeyRingText } from '../../../core/kit/key-ring.ts';
import { contentPlace, contentText, readContent } from '../../../core/webhook-delivery/content.ts';

describe('the content of a message', () => {
  const keys = KeyRing.parse(newKeyRingText());
  const body = '{"text":"two\\nlines","more":{}}';
  const headers = { 'x-hook-event': 'a\nb' };
  const stored = (text: string) => ({ id: 7, environment_id: 1, content: keys.encrypt(text, contentPlace(1, 7)) });

  it('is read as it was written, whatever line breaks are in it', () => {
    expect(readContent(keys, stored(contentText({ body, headers })))).to.deep.equal({ body, headers });
    const pretty = { body: '{\n  "a": 1\n}', headers: {} };
    expect(readContent(keys, stored(contentText(pretty)))).to.deep.equal(pretty);
  });

  it('is read, too, as earlier releases wrote it', () => {
    expect(readContent(keys, stored(JSON.stringify({ body, headers })))).to.deep.equal({ body, headers });
  });
});
