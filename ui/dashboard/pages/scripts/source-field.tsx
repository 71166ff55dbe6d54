import { useEffect, useRef, useState } from 'preact/hooks';
import TYPES from '../../../../scripts-runtime/script.d.ts?members';
import { Field, TextField } from '../../components/field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { FormState } from '../../components/use-form.ts';
import type { OpenEditor } from '../../editor/editor.ts';
import { t } from './texts.ts';

const ROWS = 20;
/** The editor is larger than all pages together, so it is loaded only where somebody writes. */
const loadEditor = () => import('../../editor/editor.ts');

interface SourceFieldProps {
  readonly form: FormState<{ readonly source: string; readonly language: string }>;
}

/** The field for a source: an editor, or a plain text field if the editor cannot be loaded. */
export function SourceField({ form }: SourceFieldProps) {
  const [editor, setEditor] = useState<Awaited<ReturnType<typeof loadEditor>> | 'none' | undefined>();
  useEffect(() => {
    loadEditor().then(setEditor, () => setEditor('none'));
  }, []);
  if (editor === undefined) return <Skeleton rows={8} />;
  if (editor === 'none')
    return <TextField form={form} name="source" label={t('new_source')} help={t('new_help')} rows={ROWS} isCode />;
  return (
    <Field label={t('new_source')} help={`${t('new_help')} ${t('new_keys')}`} fault={form.faults.source}>
      {({ id }) => <Editor id={id} form={form} open={editor.openEditor} />}
    </Field>
  );
}

interface EditorProps extends SourceFieldProps {
  readonly id: string;
  readonly open: typeof import('../../editor/editor.ts').openEditor;
}

function Editor({ id, form, open }: EditorProps) {
  const { faults, isSending, attempts } = form;
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | undefined>(undefined);
  const set = useRef(form.set);
  set.current = form.set;
  useEffect(() => {
    if (parent.current === null) return;
    const options = { parent: parent.current, id, text: form.values.source, label: t('new_source'), types: TYPES };
    editor.current = open({ ...options, onChange: (text) => set.current('source', text) });
    return () => editor.current?.close();
  }, []);
  useEffect(() => {
    const description = [faults.source, t('new_help'), t('new_keys')].filter(Boolean).join(' ');
    editor.current?.update({ isReadOnly: isSending, description, isInvalid: faults.source !== undefined });
  }, [faults.source, isSending]);
  useEffect(() => {
    if (faults.source !== undefined) editor.current?.focus();
  }, [attempts]);
  return <div ref={parent} />;
}
