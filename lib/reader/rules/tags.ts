/**
 * The class of a word or phrase in a sentence about times:
 * - `f` a word without weight, `v` a form of "to be" or "to seem", `t` a verb in the past
 * - `a` a request, `g` approval of a time, `b` disapproval, `n` a negation, `k` "only"
 * - `s` "than" or "instead of", which introduces a time that the person turns down for another one
 * - `c` "keep", which refuses a time if it is kept free
 * - `h` "I have", `d` a commitment such as a dentist, `u` a person who is away or busy
 * - `l` the end of somebody's day, `r` its beginning or somebody's return
 * - `m` a move, `p` a move to later, `q` a move to earlier, `w` "if"
 * - `e` "except", which turns what is said before it
 * - `z` something else than the start of the meeting: its length, its place, its guests
 * - `j` a word after which a reason may follow that is not read
 * - `~` a greeting or a story of another time, which is left out
 */
export type Tag =
  | 'x'
  | 'f'
  | 'v'
  | 't'
  | 'a'
  | 'g'
  | 'b'
  | 'n'
  | 'k'
  | 's'
  | 'c'
  | 'h'
  | 'd'
  | 'u'
  | 'l'
  | 'r'
  | 'm'
  | 'p'
  | 'q'
  | 'w'
  | 'z'
  | 'e'
  | 'j'
  | '~'
  | '|'
  | 'o'
  | '&'
  | ','
  | '-';
