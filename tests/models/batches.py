from typing import Any, Dict, Iterable, List

from allennlp.data import Batch, DatasetReader, Instance, Vocabulary

from lisa_allennlp.sentence.sentence import Sentence


def make_instances(reader: DatasetReader, sentences: Iterable[Sentence]) -> List[Instance]:
    instances = [reader.text_to_instance(sentence) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return instances


def make_tensors(vocab: Vocabulary, instances: Iterable[Instance]) -> Dict[str, Any]:
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()
