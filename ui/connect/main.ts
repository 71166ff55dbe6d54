import '../kit/tokens.css';
import '../kit/elements.css';
import './window.css';
import { startAsPage } from './as-page.ts';
import { startInFrame } from './in-frame.ts';
import { isForClient } from './is-for-client.ts';

const root = document.getElementById('root');
if (root !== null) {
  if (location.pathname.endsWith('/connect/l')) startAsPage(root);
  else if (location.pathname.endsWith('/connect/preview'))
    void import('./preview.ts').then(({ startPreview }) => startPreview(root));
  else if (isForClient()) void import('./for-client.ts').then(({ startForClient }) => startForClient(root));
  else startInFrame(root);
}
