// The search is loaded with the home: with one chunk more, the bundler divides the script of the first screen (rolldown#10731).
export { SearchDialog } from '../../search/search-dialog.tsx';
export { Beginning } from './beginning.tsx';
export { Home } from './home.tsx';
