/** What a model typically sends at a time. */
export const chunkText = 'a few words of an answer, as models send them ';

/** Chunks that arrive together. */
export const chunksPerTick = 10;
