import { addCopyButtons } from './copy-buttons.ts';
import { followMoved } from './moved.ts';
import { openSearch } from './search.ts';

// The pages are whole without this script: it only adds what needs one.
addCopyButtons();
const form = document.querySelector<HTMLFormElement>('form[data-index]');
if (form !== null) {
  const index = new URL(form.dataset['index'] ?? '', document.baseURI);
  void followMoved(index);
  openSearch(form, index);
}
