/** An object on the wire whose form a schema or a specification defines elsewhere. */
export type Wire = Record<string, unknown>;
