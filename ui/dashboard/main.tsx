import '../kit/tokens.css';
import '../kit/elements.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/bar.css';
import './styles/parts.css';
import './styles/table.css';
import './styles/fields.css';
import './styles/people.css';
import './styles/trouble.css';
import './styles/charts.css';
import './styles/search.css';
import { render } from 'preact';
import { baseAddress } from '../kit/browser.ts';
import { Root } from './app/root.tsx';
import { chosenTheme, paintTheme } from './app/theme.ts';

const root = document.getElementById('root');
paintTheme(
  document.documentElement,
  chosenTheme(() => localStorage),
);
if (root !== null) render(<Root base={baseAddress()} />, root);
