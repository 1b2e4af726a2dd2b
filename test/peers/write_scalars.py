"""Writes scalars as TensorBoard does, old form and new, and prints what its own reader makes of the file."""

import json
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DT_FLOAT
from tensorboard.summary.writer.event_file_writer import EventFileWriter

folder = sys.argv[1]
writer = EventFileWriter(folder)
for step in range(1, 41):
    simple = [Summary.Value(tag="train/reward", simple_value=step / 7 - 2), Summary.Value(tag="train/loss", simple_value=1 / step)]
    writer.add_event(Event(step=step, wall_time=1.5, summary=Summary(value=simple)))
    tensor = TensorProto(dtype=DT_FLOAT, tensor_shape=TensorShapeProto(), float_val=[step / 41])
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="scalars"))
    metadata.data_class = 1
    value = Summary.Value(tag="format_error_rate", tensor=tensor, metadata=metadata)
    writer.add_event(Event(step=step, wall_time=1.5, summary=Summary(value=[value])))
writer.close()

accumulator = EventAccumulator(folder, size_guidance={"scalars": 0, "tensors": 0})
accumulator.Reload()
for tag in accumulator.Tags()["scalars"]:
    for event in accumulator.Scalars(tag):
        print(json.dumps({"tag": tag, "step": event.step, "value": event.value}))
for tag in accumulator.Tags()["tensors"]:
    for event in accumulator.Tensors(tag):
        print(json.dumps({"tag": tag, "step": event.step, "value": event.tensor_proto.float_val[0]}))
