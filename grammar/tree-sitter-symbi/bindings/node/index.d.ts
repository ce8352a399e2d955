/** A kind of node, as src/node-types.json describes it. */
interface NodeType {
  type: string;
  named: boolean;
  /** Whether it is the root of a tree. */
  root?: boolean;
  /** Whether it may stand anywhere, as comments do. */
  extra?: boolean;
  /** The kinds that this kind stands for. */
  subtypes?: { type: string; named: boolean }[];
  /** What its named fields hold. */
  fields?: Record<string, NodeChildren>;
  /** What it holds outside fields. */
  children?: NodeChildren;
}

interface NodeChildren {
  multiple: boolean;
  required: boolean;
  types: { type: string; named: boolean }[];
}

/** For `Parser.setLanguage` of the npm module `tree-sitter`. */
interface Language {
  name: "symbi";
  language: unknown;
  nodeTypeInfo: NodeType[];
  /** Colours. */
  readonly HIGHLIGHTS_QUERY: string;
  /** Scopes of names, their definitions and uses. */
  readonly LOCALS_QUERY: string;
  /** What may be folded away. */
  readonly FOLDS_QUERY: string;
  /** Where lines are indented. */
  readonly INDENTS_QUERY: string;
  /** Other languages inside comments and strings. */
  readonly INJECTIONS_QUERY: string;
  /** Definitions and references, for a list of symbols. */
  readonly TAGS_QUERY: string;
  /** What an editor may select or move over as a whole. */
  readonly TEXTOBJECTS_QUERY: string;
}

declare const language: Language;
export = language;
