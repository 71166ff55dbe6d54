import '../shared/tokens.css';
import '../shared/elements.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/table.css';
import './styles/fields.css';
import { render } from 'preact';
import { baseAddress } from '../shared/browser.ts';
import { chosenTheme, paintTheme } from './core/theme.ts';
import { Root } from './root.tsx';

const root = document.getElementById('root');
paintTheme(
  document.documentElement,
  chosenTheme(() => localStorage),
);
if (root !== null) render(<Root base={baseAddress()} />, root);
