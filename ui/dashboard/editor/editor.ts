import { autocompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { localCompletionSource, typescriptLanguage } from '@codemirror/lang-javascript';
import { indentOnInput } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { scriptCompletions } from './completions.ts';
import { THEME } from './theme.ts';
import type { ScriptTypes } from './type-finder.ts';

interface EditorOptions {
  /** The element in which the editor is put. */
  readonly parent: HTMLElement;
  /** The ID to which the label of the field refers. */
  readonly id: string;
  readonly text: string;
  /** The text of the label, which screen readers do not find from within a shadow tree. */
  readonly label: string;
  readonly types: ScriptTypes;
  readonly onChange: (text: string) => void;
}

/** What changes while the editor is open. */
interface EditorFacts {
  readonly isReadOnly: boolean;
  readonly description: string;
  readonly isInvalid: boolean;
}

export interface OpenEditor {
  update(facts: EditorFacts): void;
  focus(): void;
  close(): void;
}

/** The element around the editor. As it is a form control, it has a label, and a click on that clicks it. */
class EditorElement extends HTMLElement {
  static readonly formAssociated = true;
}
customElements.define('script-editor', EditorElement);

/**
 * Opens an editor of scripts. Tab leaves it, as it leaves every field.
 *
 * It is in a shadow tree because there its styles are adopted style sheets, which the content security policy of the page allows,
 * unlike `<style>` elements.
 */
export function openEditor({ parent, id, text, label, types, onChange }: EditorOptions): OpenEditor {
  const element = Object.assign(new EditorElement(), { id });
  const root = element.attachShadow({ mode: 'open' });
  parent.replaceChildren(element);
  const changing = new Compartment();
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      indentOnInput(),
      typescriptLanguage,
      autocompletion({ override: [scriptCompletions(types), localCompletionSource], icons: false }),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      THEME,
      EditorView.domEventHandlers({ beforeinput: replaceSelected }),
      changing.of([]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', autocapitalize: 'none', spellcheck: 'false' }),
      EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
        if (docChanged) onChange(doc.toString());
      }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  element.addEventListener('click', (event) => {
    if (event.composedPath()[0] === element) view.focus();
  });
  return {
    update({ isReadOnly, description, isInvalid }) {
      const invalid = EditorView.editorAttributes.of({ class: 'invalid' });
      const attributes = { 'aria-description': description, 'aria-invalid': String(isInvalid) };
      const facts = [EditorState.readOnly.of(isReadOnly), EditorView.contentAttributes.of(attributes), isInvalid ? invalid : []];
      view.dispatch({ effects: changing.reconfigure(facts) });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/**
 * Replaces what is selected by what is typed. A browser that does this itself, with several lines, keeps their look by inline
 * styles, which the content security policy forbids and the browser reports.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (event.inputType !== 'insertText' || event.data === null || state.selection.main.empty || state.readOnly) return false;
  view.dispatch(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
  event.preventDefault();
  return true;
}
