/** Style sheets are imported only for their side effect: the build writes them into files. */
declare module '*.css';
