/** A stranger's name in a title, which takes no elements: the characters around it keep its direction to itself. */
export const isolated = (name: string) => `\u2068${name}\u2069`;
