/** Style sheets are imported for their effect: the build turns them into files. */
declare module '*.css';
