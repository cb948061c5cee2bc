/** The names of the blanks in a sentence pattern, such as `day` and `clock` in "{day} at {clock}". */
export type Blanks<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Blanks<Rest>
  : never;

/** Examples of patterns: the values that fill the blanks of each pattern that has blanks. */
export type ExamplesOf<Patterns extends Record<string, string>> = {
  [K in keyof Patterns as Blanks<Patterns[K]> extends never ? never : K]: Record<Blanks<Patterns[K]>, string>;
};
