import type { ComponentChildren, ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { SearchDialogProps } from '../../search/search-dialog.tsx';
import { OpenSearchContext, useApp } from '../context.ts';
import type { Environment } from '../replies.ts';
import { t } from '../texts/en.ts';

interface SearchProps {
  /** The environment in which the search looks: that of the page, or the last one. */
  readonly environment: Environment;
  readonly children: ComponentChildren;
}

/** The search for everything, which opens by Ctrl K or ⌘ K from anywhere. Its dialog is loaded when it is first opened. */
export function Search({ environment, children }: SearchProps) {
  const { toast } = useApp();
  const [isOpen, setOpen] = useState(false);
  const [SearchDialog, setLoaded] = useState<ComponentType<SearchDialogProps> | undefined>();
  const open = useCallback(() => setOpen(true), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Another dialog asks for an answer first.
      if (document.querySelector('dialog[open]') === null) open();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    if (!isOpen || SearchDialog !== undefined) return;
    import('../../pages/home/pages.ts').then(
      (loaded) => setLoaded(() => loaded.SearchDialog),
      () => {
        setOpen(false);
        toast(t('error_heading'));
      },
    );
  }, [isOpen]);
  return (
    <OpenSearchContext.Provider value={open}>
      {children}
      {isOpen && SearchDialog && <SearchDialog environment={environment} onClose={() => setOpen(false)} />}
    </OpenSearchContext.Provider>
  );
}
