import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--text-3)' },
]);

/** The look of a field of the dashboard, by its tokens, so that it follows the scheme of the page. */
const LOOK = EditorView.theme({
  '&': { color: 'var(--text)', background: 'var(--surface)', border: '1px solid var(--edge)', borderRadius: 'var(--radius)' },
  '&.cm-focused': { outline: '2px solid var(--accent-text)', borderColor: 'transparent' },
  '&.invalid:not(.cm-focused)': { borderColor: 'var(--bad-dot)', boxShadow: '0 0 0 3px var(--bad-soft)' },
  '.cm-scroller': { font: '400 13px / 20px var(--mono)', blockSize: '416px' },
  '.cm-content': { padding: '7px 0', caretColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--text-3)',
    background: 'var(--subtle)',
    border: 0,
    borderRadius: 'var(--radius) 0 0 var(--radius)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minInlineSize: '5ch', paddingInlineEnd: '8px' },
  '.cm-line': { paddingInline: '10px' },
  '.cm-tooltip': {
    color: 'var(--text)',
    background: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-s)',
    boxShadow: 'var(--shadow-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '13px', maxInlineSize: 'min(520px, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--text)', background: 'var(--accent-soft)' },
  '.cm-completionMatchedText': { fontWeight: 600, textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal', marginInlineStart: 0 },
  '.cm-completionInfo': { maxInlineSize: '320px', padding: '8px 10px', font: '400 13px / 19px var(--font)' },
  // A phone has no room for it beside the list.
  '@media (max-width: 640px)': { '.cm-completionInfo': { display: 'none' } },
});

export const THEME: Extension = [LOOK, syntaxHighlighting(COLORS)];
