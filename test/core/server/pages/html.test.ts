import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { html, pageReply } from '../../../../core/server/pages/html.ts';

describe('html', () => {
  it('escapes every inserted text, in content and in attributes', () => {
    const hostile = `<script>"'&`;
    expect(html`<a title="${hostile}">${hostile}</a>`.text).to.equal(
      '<a title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</a>',
    );
  });

  it('inserts markup and lists of markup as they are', () => {
    expect(html`<ul>${['a', '<'].map((text) => html`<li>${text}</li>`)}</ul>${html`<hr>`}`.text).to.equal(
      '<ul><li>a</li><li>&lt;</li></ul><hr>',
    );
  });
});

describe('a page', () => {
  it('allows exactly its own style sheet', () => {
    const style = 'p { color: red }';
    const reply = pageReply({ title: 'T', style, body: html`<p>x</p>` });
    const policy = String(reply.headers?.['content-security-policy']);
    const [, sheet = ''] = /<style>(.*)<\/style>/s.exec(String(reply.body)) ?? [];
    expect(sheet)
      .to.contain(':root {')
      .and.to.match(/p \{ color: red \}$/);
    expect(policy).to.contain(`style-src 'sha256-${createHash('sha256').update(sheet).digest('base64')}'`);
    expect(policy).to.contain("default-src 'none'").and.to.contain("frame-ancestors 'none'");
  });
});
