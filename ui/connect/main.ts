import '../shared/tokens.css';
import './window.css';
import { startAsPage } from './as-page.ts';
import { startInFrame } from './in-frame.ts';
import { loadLater } from './later-screens.ts';

const root = document.getElementById('root');
if (root !== null) {
  void loadLater();
  if (location.pathname.endsWith('/connect/l')) startAsPage(root);
  else startInFrame(root);
}
