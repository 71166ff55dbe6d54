/** Markup that closes a context in which a page may embed a text, such as an attribute or a `<script>` element. */
const ENDS = ['', '">', "'>", '</script>', '</title>', '</textarea>', '</style>', '-->', '</noscript>', ']]>'];

const ELEMENTS = [
  '<script data-xss>xss()</script>',
  '<img data-xss src=x: onerror=xss()>',
  '<svg data-xss onload=xss()>',
  '<details data-xss open ontoggle=xss()>x',
  '<iframe data-xss srcdoc="<script>parent.xss()</script>">',
];

/** 60 texts that run `xss()`, or create an element with `data-xss`, in a page that treats them as markup or as a script. */
export const POLYGLOTS: readonly string[] = [
  ...ENDS.flatMap((end) => ELEMENTS.map((element) => `${end}${element}`)),
  'javascript:xss()//',
  'JaVaScRiPt:xss()',
  'data:text/html,<script data-xss>xss()</script>',
  '" onmouseover=xss() autofocus onfocus=xss() x="',
  "' style=animation-name:x onanimationstart=xss() x='",
  '${xss()}{{constructor.constructor("xss()")()}}',
  '\\u003cimg data-xss src=x: onerror=xss()>',
  '&lt;img data-xss src=x: onerror=xss()&gt;',
  '<math data-xss><mtext><a href="javascript:xss()">x</a>',
  '<base data-xss href="javascript:/xss()//"><form data-xss action="javascript:xss()"><button>x',
];
