/** What an item is about, and what it says about it. Items without a topic are always sent. */
export type Topic = { readonly about: string; readonly says: string };

/**
 * Drops an item if the last one about the same thing said the same. The hub makes finer distinctions than some dialects can
 * express, so different events may look the same to a client.
 */
export function onlyNews<Item>(topicOf: (item: Item) => Topic | undefined): (item: Item) => boolean {
  const sent = new Map<string, string>();
  return (item) => {
    const topic = topicOf(item);
    if (!topic) return true;
    const isNews = sent.get(topic.about) !== topic.says;
    sent.set(topic.about, topic.says);
    return isNews;
  };
}
