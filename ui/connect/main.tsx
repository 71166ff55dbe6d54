import { render } from 'preact';
import './page-style.css';

function Loading() {
  return (
    <main>
      <p role="status">Loading…</p>
    </main>
  );
}

const root = document.getElementById('root');
if (root !== null) render(<Loading />, root);
