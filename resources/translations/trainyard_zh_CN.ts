<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>HardwareChoice</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This machine, %1 ranks</source>
        <translation>本机，%1 个 rank</translation>
    </message>
</context>
<context>
    <name>MemoryGroups</name>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop</name>
    <message>
        <source>A run finished or was stopped</source>
        <translation>运行已完成或被停止</translation>
    </message>
    <message>
        <source>A run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>A run or its host was lost</source>
        <translation>运行或其主机失联</translation>
    </message>
    <message>
        <source>Loss or gradient is not a number</source>
        <translation>损失或梯度不是数值</translation>
    </message>
    <message>
        <source>Loss spike</source>
        <translation>损失突增</translation>
    </message>
    <message>
        <source>A checkpoint was not saved</source>
        <translation>checkpoint 未能保存</translation>
    </message>
    <message>
        <source>No step for</source>
        <translation>无新步超过</translation>
    </message>
    <message>
        <source>Loss above</source>
        <translation>损失高于</translation>
    </message>
    <message>
        <source>Smoothed loss rises for</source>
        <translation>平滑损失连续上升</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Throughput below</source>
        <translation>吞吐量低于</translation>
    </message>
    <message>
        <source>% of usual</source>
        <translation>%（相对平常）</translation>
    </message>
    <message>
        <source>Free disk below</source>
        <translation>可用磁盘空间低于</translation>
    </message>
    <message>
        <source>Memory above</source>
        <translation>内存高于</translation>
    </message>
    <message>
        <source>%1 takes a number greater than 0 and at most %2.</source>
        <translation>“%1”须为大于 0 且不超过 %2 的数。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Train loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message numerus="yes">
        <source>%n keys are equal in all of them.</source>
        <translation>
            <numerusform>有 %n 个键在所有运行中都相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Settings of the runs with the best %1</source>
        <translation>%1 最佳的运行的设置</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>By chance</source>
        <translation>偶然概率</translation>
    </message>
    <message>
        <source>ρ: Spearman&apos;s rank correlation, for numbers; η: correlation ratio of ranks, for words. “By chance”: share of %1 shuffles that are at least as strong. Finished runs only; no proof of a cause.</source>
        <translation>ρ：Spearman 秩相关系数，用于数值；η：秩的相关比，用于文字。“偶然概率”：%1 次随机打乱中强度不低于此值的比例。仅统计已完成的运行；不能证明因果关系。</translation>
    </message>
    <message numerus="yes">
        <source>Comparison of %n runs</source>
        <translation>
            <numerusform>%n 个运行的比较</numerusform>
        </translation>
    </message>
    <message>
        <source>Trainyard, %1</source>
        <translation>Trainyard，%1</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Last values</source>
        <translation>最终值</translation>
    </message>
    <message>
        <source>Best values</source>
        <translation>最佳值</translation>
    </message>
    <message>
        <source>A learning rate is a number greater than 0 and at most 100, such as 3e-4.</source>
        <translation>学习率须为大于 0 且不超过 100 的数，例如 3e-4。</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>The schedule keeps its shape. The change is recorded as an event.</source>
        <translation>学习率调度的形状保持不变。此更改会记录为事件。</translation>
    </message>
    <message>
        <source>Now %1, which training.swa_lr decides: the peak counts again when the average has ended.</source>
        <translation>当前为 %1，由 training.swa_lr 决定：平均结束后峰值才重新生效。</translation>
    </message>
    <message>
        <source>Now %1.</source>
        <translation>当前为 %1。</translation>
    </message>
    <message>
        <source>Now %1 → %2.</source>
        <translation>当前为 %1 → %2。</translation>
    </message>
    <message>
        <source>Change the learning rate</source>
        <translation>更改学习率</translation>
    </message>
    <message>
        <source>Peak learning rate from the next step on</source>
        <translation>从下一步起的峰值学习率</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Note at step %1</source>
        <translation>第 %1 步的备注</translation>
    </message>
    <message>
        <source>The note is shown among the run&apos;s events and on its curves.</source>
        <translation>备注会显示在此运行的事件列表及其曲线上。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Write something.</source>
        <translation>请输入内容。</translation>
    </message>
    <message>
        <source>New learning rate requested</source>
        <translation>已请求新的学习率</translation>
    </message>
    <message>
        <source>Stop requested</source>
        <translation>已请求停止</translation>
    </message>
    <message>
        <source>Kill requested</source>
        <translation>已请求强制终止</translation>
    </message>
    <message>
        <source>Checkpoint requested</source>
        <translation>已请求保存 checkpoint</translation>
    </message>
    <message>
        <source>Evaluation requested</source>
        <translation>已请求评估</translation>
    </message>
    <message>
        <source>Pause requested</source>
        <translation>已请求暂停</translation>
    </message>
    <message>
        <source>Resume requested</source>
        <translation>已请求继续</translation>
    </message>
    <message>
        <source>Profile requested</source>
        <translation>已请求性能分析</translation>
    </message>
    <message>
        <source>Note added</source>
        <translation>已添加备注</translation>
    </message>
    <message>
        <source>Checkpoint %1</source>
        <translation>checkpoint %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Validation loss %1</source>
        <translation>验证损失 %1</translation>
    </message>
    <message>
        <source>Resumed from checkpoint %1</source>
        <translation>已从 checkpoint %1 恢复</translation>
    </message>
    <message>
        <source>Peak learning rate %1</source>
        <translation>峰值学习率 %1</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>从第 %1 步起</translation>
    </message>
    <message>
        <source>from the %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Best validation loss %1 · step %2</source>
        <translation>最佳验证损失 %1 · 第 %2 步</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>copy for computing</source>
        <translation>计算用副本</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>The run needed more memory than there is. A smaller batch, shorter sequences or more ranks need less.</source>
        <translation>此运行所需的内存超过了现有内存。减小 batch、缩短序列或增加 rank 数可降低需求。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>A rank was estimated to need %1: %2.</source>
        <translation>估计每个 rank 需要 %1：%2。</translation>
    </message>
    <message>
        <source>%1 would need %2.</source>
        <translation>%1 需要 %2。</translation>
    </message>
    <message>
        <source>%1 would need %2 and fit into the %3 it held.</source>
        <translation>%1 需要 %2，可放入其原先占用的 %3。</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>rank %1（%2）</translation>
    </message>
    <message>
        <source>%1 did not arrive at %2, where the others waited.</source>
        <translation>%1 没有到达 %2，而其他 rank 在那里等待。</translation>
    </message>
    <message>
        <source>%1 no longer answers: it was switched off, is restarting, or has lost its network. Its ranks ended by themselves.</source>
        <translation>%1 不再响应：它已关机、正在重启或断开了网络。其上的 rank 已自行结束。</translation>
    </message>
    <message>
        <source>Nothing more could be written. Checkpoints take the most space: keep fewer of them with checkpoint.keep_last, or choose a folder on a larger disk.</source>
        <translation>无法再写入任何内容。checkpoint 占用的空间最多：请用 checkpoint.keep_last 减少保留数量，或选择更大磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>A collective operation waits for every rank, and one of them did not call it in time.</source>
        <translation>集合操作会等待每个 rank，而其中一个没有及时调用它。</translation>
    </message>
    <message>
        <source>Before that, at step %1: %2. A lower learning rate, gradient clipping or health.on_non_finite: skip keep a run from it.</source>
        <translation>在此之前，第 %1 步：%2。较低的学习率、梯度裁剪或 health.on_non_finite: skip 可避免这种情况。</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>The peak was measured on this run&apos;s ranks by multiplying matrices.</source>
        <translation>峰值是在此运行的各 rank 上通过矩阵乘法实测得到的。</translation>
    </message>
    <message>
        <source>The peak is the maker&apos;s figure for dense products in this number format.</source>
        <translation>峰值是厂商给出的此数值格式下稠密乘法的数据。</translation>
    </message>
    <message>
        <source>peak unknown</source>
        <translation>峰值未知</translation>
    </message>
    <message>
        <source>The steps compute %1FLOP/s, more than the %2FLOP/s that were measured as the peak: the machine was busy when that was measured, so no share of it is shown.</source>
        <translation>各步的计算速度为 %1FLOP/s，高于实测的峰值 %2FLOP/s：测量时机器正忙，因此不显示所占比例。</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>est. %1</source>
        <translation>估计 %1</translation>
    </message>
    <message>
        <source>Highest so far (%1); the estimate before the start was %2.</source>
        <translation>迄今最高（%1）；启动前的估计为 %2。</translation>
    </message>
    <message>
        <source>Val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Grad norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Memory peak</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>loss scale</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>The median of the last %1 steps.</source>
        <translation>最近 %1 步的中位数。</translation>
    </message>
    <message>
        <source>clip %1</source>
        <translation>裁剪 %1</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Queued, number %1</source>
        <translation>排队中，第 %1 位</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Queued, no process waits</source>
        <translation>排队中，但无进程等待</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Launching</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Stopping, %1 of %2 ranks gone</source>
        <translation>正在停止，%1/%2 个 rank 已退出</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>失联</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hosts</source>
        <translation>
            <numerusform>%n 台主机</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>waited %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>ended %1</source>
        <translation>结束于 %1</translation>
    </message>
    <message>
        <source>queued %1 ago</source>
        <translation>%1 前排队</translation>
    </message>
    <message>
        <source>started %1 ago</source>
        <translation>%1 前开始</translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>重启 %n 次</numerusform>
        </translation>
    </message>
    <message>
        <source>resumed from %1</source>
        <translation>从 %1 恢复</translation>
    </message>
    <message>
        <source>check the recipe and write the run folder</source>
        <translation>检查配方并写入运行文件夹</translation>
    </message>
    <message numerus="yes">
        <source>start %n ranks</source>
        <translation>
            <numerusform>启动 %n 个 rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>build the model and open the data on %n ranks</source>
        <translation>
            <numerusform>在 %n 个 rank 上构建模型并打开数据</numerusform>
        </translation>
    </message>
    <message>
        <source>first step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>1 core</source>
        <translation>1 个核心</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 个核心</translation>
    </message>
    <message>
        <source>The settings for this host cannot be used</source>
        <translation>此主机的设置无法使用</translation>
    </message>
    <message>
        <source>The name was not found</source>
        <translation>找不到该名称</translation>
    </message>
    <message>
        <source>There is no way to this host</source>
        <translation>没有通往此主机的路由</translation>
    </message>
    <message>
        <source>Nothing listens on the port</source>
        <translation>该端口上没有服务在监听</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>没有响应</translation>
    </message>
    <message>
        <source>What answers is no SSH server</source>
        <translation>响应方不是 SSH 服务器</translation>
    </message>
    <message>
        <source>First contact: its key has to be confirmed</source>
        <translation>首次连接：需要确认其密钥</translation>
    </message>
    <message>
        <source>It shows a different host key</source>
        <translation>它出示了不同的 host key</translation>
    </message>
    <message>
        <source>Its host key is revoked</source>
        <translation>其 host key 已被吊销</translation>
    </message>
    <message>
        <source>Logging in was refused</source>
        <translation>登录被拒绝</translation>
    </message>
    <message>
        <source>The server closed the connection: too many keys were offered</source>
        <translation>对方断开了连接：提供的密钥过多</translation>
    </message>
    <message>
        <source>The jump host does not connect us</source>
        <translation>跳板机未能建立转接</translation>
    </message>
    <message>
        <source>The account cannot run commands</source>
        <translation>该账户无法运行命令</translation>
    </message>
    <message>
        <source>The login shell prints text before commands run</source>
        <translation>登录 shell 在命令运行前输出了文本</translation>
    </message>
    <message>
        <source>A program is missing there</source>
        <translation>那里缺少某个程序</translation>
    </message>
    <message>
        <source>No space is left there</source>
        <translation>那里已没有剩余空间</translation>
    </message>
    <message>
        <source>A file there cannot be used</source>
        <translation>那里的某个文件无法使用</translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation>连接已中断</translation>
    </message>
    <message>
        <source>It was cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>It could not be asked</source>
        <translation>无法查询</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>未查询</translation>
    </message>
    <message>
        <source>asking</source>
        <translation>正在查询</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>new key</source>
        <translation>新密钥</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>已阻止</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>its settings cannot be used</source>
        <translation>其设置无法使用</translation>
    </message>
    <message>
        <source>its key has to be confirmed once</source>
        <translation>其密钥需要确认一次</translation>
    </message>
    <message>
        <source>host key is not the one you accepted</source>
        <translation>host key 与已接受的不符</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>无 GPU</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>内核 %1</translation>
    </message>
    <message>
        <source>OS</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>可用 %1，共 %2</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>可用 %1</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>against this machine, known to %1 s</source>
        <translation>相对本机，误差不超过 %1 s</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动程序</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>comes with the engine</source>
        <translation>随引擎提供</translation>
    </message>
    <message>
        <source>copied when needed</source>
        <translation>需要时复制</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>none, not needed</source>
        <translation>无，不需要</translation>
    </message>
    <message>
        <source>, no torch</source>
        <translation>，无 torch</translation>
    </message>
    <message>
        <source>, torch %1</source>
        <translation>，torch %1</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>libc</source>
        <translation>libc</translation>
    </message>
    <message>
        <source>NVLink %1</source>
        <translation>NVLink %1</translation>
    </message>
    <message>
        <source>, %1 Gb/s</source>
        <translation>，%1 Gb/s</translation>
    </message>
    <message>
        <source>The settings for %1 cannot be used</source>
        <translation>%1 的设置无法使用</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The GPU driver of %1 does not work</source>
        <translation>%1 的 GPU 驱动程序无法工作</translation>
    </message>
    <message>
        <source> Install the driver again or restart the host; runs on the CPU work.</source>
        <translation> 请重新安装驱动程序或重启主机；CPU 上的运行不受影响。</translation>
    </message>
    <message>
        <source>The driver of %1 is too old</source>
        <translation>%1 的驱动程序太旧</translation>
    </message>
    <message>
        <source>Driver %1 knows CUDA up to %2; the engine&apos;s GPU part wants %3 or newer. Update the driver; runs on the CPU work.</source>
        <translation>驱动程序 %1 最高支持 CUDA %2；引擎的 GPU 部分需要 %3 或更高版本。请更新驱动程序；CPU 上的运行不受影响。</translation>
    </message>
    <message>
        <source>The clock of %1 is off by %2</source>
        <translation>%1 的时钟偏差为 %2</translation>
    </message>
    <message>
        <source>Times in its logs will not fit those of other hosts. Switch on time synchronisation there.</source>
        <translation>其日志中的时间将与其他主机不一致。请在那里启用时间同步。</translation>
    </message>
    <message>
        <source>Little space is left on %1</source>
        <translation>%1 上的剩余空间不足</translation>
    </message>
    <message>
        <source>%1 free in %2: make room, or choose another folder for runs in its settings.</source>
        <translation>%2 中剩余 %1：请腾出空间，或在其设置中为运行选择其他文件夹。</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <source>Starts and watches training runs. Runs go on when the window is closed.</source>
        <translation>启动并监视训练运行。窗口关闭后运行仍会继续。</translation>
    </message>
    <message>
        <source>What to open: a recipe (YAML), a run folder, a folder or file of logs (TensorBoard, JSONL, CSV), host:path or an sftp address.</source>
        <translation>要打开的内容：配方 (YAML)、运行文件夹、日志文件夹或日志文件（TensorBoard、JSONL、CSV）、host:path 或 sftp 地址。</translation>
    </message>
    <message>
        <source>Show the first-run page, the sample one click away.</source>
        <translation>显示首次启动页面，单击一次即可启动示例。</translation>
    </message>
    <message>
        <source>With --sample: start it, wait until it is over, print the final loss, leave.</source>
        <translation>与 --sample 一起使用：启动示例，等待其结束，输出最终损失，然后退出。</translation>
    </message>
    <message>
        <source>Write a picture of the window and leave.</source>
        <translation>保存窗口的图片，然后退出。</translation>
    </message>
    <message>
        <source>dark, light or system, for this start.</source>
        <translation>dark、light 或 system，仅用于本次启动。</translation>
    </message>
    <message>
        <source>Size of the window, e.g. 1440x900.</source>
        <translation>窗口大小，例如 1440x900。</translation>
    </message>
    <message>
        <source>One file or folder can be opened at a time, not %1.</source>
        <translation>一次只能打开一个文件或文件夹，不能打开 %1 个。</translation>
    </message>
    <message>
        <source>--autostart needs --sample.</source>
        <translation>--autostart 需要 --sample。</translation>
    </message>
    <message>
        <source>--theme %1 is not known: write dark, light or system.</source>
        <translation>未知的 --theme %1：请写 dark、light 或 system。</translation>
    </message>
    <message>
        <source>--size %1 is no size: write e.g. 1440x900.</source>
        <translation>--size %1 不是有效的大小：请写成例如 1440x900。</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Estimated: a token takes %1FLOP, and each rank computes %2 % of the %3FLOP/s that were measured as the peak (%4). %5</source>
        <translation>估计值：每个 token 需要 %1FLOP，每个 rank 的计算速度为实测峰值 %3FLOP/s（%4）的 %2 %。%5</translation>
    </message>
    <message numerus="yes">
        <source>That share is the median of %n runs on this machine.</source>
        <translation>
            <numerusform>该比例是本机上 %n 个运行的中位数。</numerusform>
        </translation>
    </message>
    <message>
        <source>That share is a usual one: no run has told its own yet.</source>
        <translation>该比例为常见值：尚无运行给出实际值。</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>停滞</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>matmul</source>
        <translation>matmul</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>第 %1–%2 步</translation>
    </message>
    <message>
        <source>%1 slices, all placed</source>
        <translation>%1 个切片，全部已放置</translation>
    </message>
    <message>
        <source>%1 slices, %2 entries without a place</source>
        <translation>%1 个切片，%2 个条目无处放置</translation>
    </message>
    <message>
        <source>%1 read in %2</source>
        <translation>%1，读取用时 %2</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 个切片</translation>
    </message>
    <message numerus="yes">
        <source>%n overlapping slices on an extra row</source>
        <translation>
            <numerusform>额外一行中有 %n 个重叠切片</numerusform>
        </translation>
    </message>
    <message>
        <source>all placed</source>
        <translation>全部已放置</translation>
    </message>
    <message>
        <source>clock moved by %1</source>
        <translation>时钟校正 %1</translation>
    </message>
    <message>
        <source>%1: %2 could not be placed.</source>
        <translation>%1：%2 无法放置。</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>in Expert</source>
        <translation>在“专家”中</translation>
    </message>
    <message>
        <source>this holds neither settings of accelerate, nor a recipe, nor a DeepSpeed file</source>
        <translation>其中既没有 accelerate 的设置，也不是配方或 DeepSpeed 文件</translation>
    </message>
    <message>
        <source>line %1, column %2: </source>
        <translation>第 %1 行，第 %2 列： </translation>
    </message>
    <message>
        <source>ZeRO with DeepSpeed</source>
        <translation>使用 DeepSpeed 的 ZeRO</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>设备网格</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>MPI</source>
        <translation>MPI</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Filled in from what this machine has: a TPU.</source>
        <translation>已按本机配置填写：一个 TPU。</translation>
    </message>
    <message>
        <source>Filled in from what this machine has: a CPU with %1 cores, no accelerator.</source>
        <translation>已按本机配置填写：一个 %1 核 CPU，无加速器。</translation>
    </message>
    <message>
        <source>Filled in from what this machine has: %1 × %2.</source>
        <translation>已按本机配置填写：%1 × %2。</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>运行的名称</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>part of the run folder&apos;s name</source>
        <translation>运行文件夹名称的一部分</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>its keys are those of transformers&apos; config.json</source>
        <translation>其键与 transformers 的 config.json 相同</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>what the model is trained for</source>
        <translation>模型的训练目标</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>transformer blocks</source>
        <translation>Transformer 块</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>attention heads of each block</source>
        <translation>每个块的注意力头</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>a multiple of the heads</source>
        <translation>头数的倍数</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>longest sequence, in tokens</source>
        <translation>最长序列，以 token 计</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>number of different tokens; 256 for bytes</source>
        <translation>不同 token 的数量；字节为 256</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>初始权重</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>file or folder to go on from, its config.json counts; empty: random weights</source>
        <translation>作为起点的文件或文件夹，以其 config.json 为准；留空：随机权重</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>patterns of names of parameters that stay as they start, e.g. transformer.wte.*</source>
        <translation>保持初始值的参数名称的模式，例如 transformer.wte.*</translation>
    </message>
    <message>
        <source>Adapters (LoRA)</source>
        <translation>适配器 (LoRA)</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>adapters are trained, the model stays; 0: none</source>
        <translation>只训练适配器，模型不变；0：无</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>what is added counts alpha / rank times</source>
        <translation>增量按 alpha / 秩 缩放</translation>
    </message>
    <message>
        <source>Rank-stabilised</source>
        <translation>秩稳定</translation>
    </message>
    <message>
        <source>alpha / root of the rank</source>
        <translation>alpha / 秩的平方根</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>ends of their names, e.g. c_attn, c_proj, or expressions; all-linear: all but the head</source>
        <translation>名称的结尾，例如 c_attn, c_proj，或正则表达式；all-linear：除输出头外的全部</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>ends of names in transformers, e.g. mlp.experts.gate_up_proj, mlp.experts.down_proj: experts</source>
        <translation>在 transformers 中的名称的结尾，例如 mlp.experts.gate_up_proj, mlp.experts.down_proj：专家</translation>
    </message>
    <message>
        <source>Trained whole</source>
        <translation>完整训练</translation>
    </message>
    <message>
        <source>ends of modules&apos; names, saved with the adapter; empty: the head of a classification</source>
        <translation>模块名称的结尾，与适配器一同保存；留空：分类任务的输出头</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>folder in PEFT&apos;s layout to go on from; empty: a fresh one</source>
        <translation>作为起点的 PEFT 格式文件夹；留空：新建</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Inner width</source>
        <translation>内部宽度</translation>
    </message>
    <message>
        <source>0: four times the width</source>
        <translation>0：宽度的四倍</translation>
    </message>
    <message>
        <source>Dropout, residual</source>
        <translation>Dropout，残差</translation>
    </message>
    <message>
        <source>Dropout, embeddings</source>
        <translation>Dropout，嵌入</translation>
    </message>
    <message>
        <source>Dropout, attention</source>
        <translation>Dropout，注意力</translation>
    </message>
    <message>
        <source>Norm epsilon</source>
        <translation>归一化 epsilon</translation>
    </message>
    <message>
        <source>Initializer range</source>
        <translation>初始化范围</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>between the feed-forward layers</source>
        <translation>前馈层之间</translation>
    </message>
    <message>
        <source>Tied output layer</source>
        <translation>共享输出层</translation>
    </message>
    <message>
        <source>uses the table of the token embedding</source>
        <translation>使用 token 嵌入的权重表</translation>
    </message>
    <message>
        <source>Scaled attention</source>
        <translation>缩放注意力</translation>
    </message>
    <message>
        <source>by the square root of the width of a head</source>
        <translation>除以每个头宽度的平方根</translation>
    </message>
    <message>
        <source>Scaled by block</source>
        <translation>按块缩放</translation>
    </message>
    <message>
        <source>also divides attention scores by the number of the block</source>
        <translation>注意力分数再除以块的序号</translation>
    </message>
    <message>
        <source>Attention in fp32</source>
        <translation>fp32 注意力</translation>
    </message>
    <message>
        <source>scores, under mixed precision</source>
        <translation>混合精度下的注意力分数</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>needs an encoder, which no data set has</source>
        <translation>需要编码器，而任何数据集都没有</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>起始 token</translation>
    </message>
    <message>
        <source>of a text, for config.json; -1: none</source>
        <translation>文本的起始 token，写入 config.json；-1：无</translation>
    </message>
    <message>
        <source>Last token</source>
        <translation>结束 token</translation>
    </message>
    <message>
        <source>Padding token</source>
        <translation>填充 token</translation>
    </message>
    <message>
        <source>for config.json; -1: none</source>
        <translation>写入 config.json；-1：无</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>file or folder; drop one here</source>
        <translation>文件或文件夹；可拖放到此处</translation>
    </message>
    <message>
        <source>File names</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>which files of a folder, e.g. *.txt</source>
        <translation>文件夹中的哪些文件，例如 *.txt</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>tokens, at most the context</source>
        <translation>以 token 计，不超过上下文长度</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>留出比例</translation>
    </message>
    <message>
        <source>share of the text, at its end, for evaluation</source>
        <translation>文本末尾用于评估的比例</translation>
    </message>
    <message>
        <source>Random order</source>
        <translation>随机顺序</translation>
    </message>
    <message>
        <source>a new order in each epoch</source>
        <translation>每个 epoch 重新排序</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>bytes: one token per byte</source>
        <translation>bytes：每个字节一个 token</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>of tables; empty: the only one, or text</source>
        <translation>表格的列；留空：唯一的列，或 text</translation>
    </message>
    <message>
        <source>Second column</source>
        <translation>第二列</translation>
    </message>
    <message>
        <source>of the second text of a pair</source>
        <translation>文本对中第二个文本的列</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>标签列</translation>
    </message>
    <message>
        <source>of classes, by number or name; empty: label</source>
        <translation>类别的列，按编号或名称；留空：label</translation>
    </message>
    <message>
        <source>Target column</source>
        <translation>目标列</translation>
    </message>
    <message>
        <source>of the text to be written; empty: summary</source>
        <translation>要生成的文本的列；留空：summary</translation>
    </message>
    <message>
        <source>Target length</source>
        <translation>目标长度</translation>
    </message>
    <message>
        <source>tokens of the text to be written</source>
        <translation>要生成的文本的 token 数</translation>
    </message>
    <message>
        <source>Masked share</source>
        <translation>掩码比例</translation>
    </message>
    <message>
        <source>of tokens, for masked_lm</source>
        <translation>被掩码的 token，用于 masked_lm</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>only replies are learnt</source>
        <translation>仅学习回复</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>tokenizer.json, for text; empty: one token per byte</source>
        <translation>tokenizer.json，用于文本；留空：每个字节一个 token</translation>
    </message>
    <message>
        <source>Pack</source>
        <translation>打包</translation>
    </message>
    <message>
        <source>documents end to end</source>
        <translation>文档首尾相接</translation>
    </message>
    <message>
        <source>Unreadable records</source>
        <translation>无法读取的记录</translation>
    </message>
    <message>
        <source>stop the run, or skip and count them</source>
        <translation>停止运行，或跳过并计数</translation>
    </message>
    <message>
        <source>Split batches</source>
        <translation>拆分 batch</translation>
    </message>
    <message>
        <source>the batch is that of all ranks, which share it</source>
        <translation>batch 为所有 rank 的总和，由各 rank 分担</translation>
    </message>
    <message>
        <source>Dispatch batches</source>
        <translation>分发 batch</translation>
    </message>
    <message>
        <source>rank 0 reads, and sends every rank its samples</source>
        <translation>由 rank 0 读取，并将样本发送给每个 rank</translation>
    </message>
    <message>
        <source>Even batches</source>
        <translation>对齐 batch</translation>
    </message>
    <message>
        <source>full batches on every rank at the end of an epoch, too</source>
        <translation>在 epoch 末尾，每个 rank 也都是完整的 batch</translation>
    </message>
    <message>
        <source>Join epochs</source>
        <translation>衔接 epoch</translation>
    </message>
    <message>
        <source>even batches are completed from the next epoch, not from the same</source>
        <translation>对齐 batch 时用下一个 epoch 的样本补足，而非同一个 epoch</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>worker 数</translation>
    </message>
    <message>
        <source>threads of a rank that read ahead</source>
        <translation>每个 rank 用于预读的线程</translation>
    </message>
    <message>
        <source>Prefetch factor</source>
        <translation>预取系数</translation>
    </message>
    <message>
        <source>batches of each worker</source>
        <translation>每个 worker 的 batch 数</translation>
    </message>
    <message>
        <source>Steps and batch</source>
        <translation>步数与 batch</translation>
    </message>
    <message>
        <source>optimizer updates</source>
        <translation>优化器更新次数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>sequences per rank and micro-batch</source>
        <translation>每个 rank 每个 micro-batch 的序列数</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>累积</translation>
    </message>
    <message>
        <source>micro-batches of one update</source>
        <translation>每次更新的 micro-batch 数</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局 batch</translation>
    </message>
    <message>
        <source>sequences of one update on all ranks, whatever their number; 0: not fixed</source>
        <translation>所有 rank 每次更新的序列总数，与 rank 数无关；0：不固定</translation>
    </message>
    <message>
        <source>Peak learning rate</source>
        <translation>峰值学习率</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>after the warm-up</source>
        <translation>预热之后</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>steps in which the rate rises from 0</source>
        <translation>学习率从 0 上升的步数</translation>
    </message>
    <message>
        <source>Final rate</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>at the end, as a fraction of the peak</source>
        <translation>结束时的学习率，占峰值的比例</translation>
    </message>
    <message>
        <source>Decay ends</source>
        <translation>衰减结束</translation>
    </message>
    <message>
        <source>at this step; 0: at the last</source>
        <translation>在此步；0：在最后一步</translation>
    </message>
    <message>
        <source>Schedule arguments</source>
        <translation>调度参数</translation>
    </message>
    <message>
        <source>of schedules of transformers and torch, e.g. {num_cycles: 2}</source>
        <translation>用于 transformers 和 torch 的调度，例如 {num_cycles: 2}</translation>
    </message>
    <message>
        <source>Clip gradients at</source>
        <translation>梯度裁剪阈值</translation>
    </message>
    <message>
        <source>norm; 0: never</source>
        <translation>范数；0：从不</translation>
    </message>
    <message>
        <source>Seed and evaluation</source>
        <translation>种子与评估</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>start of every random number</source>
        <translation>所有随机数的起点</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>评估间隔</translation>
    </message>
    <message>
        <source>steps; 0: only at the end</source>
        <translation>步；0：仅在结束时</translation>
    </message>
    <message>
        <source>Evaluation batches</source>
        <translation>评估 batch 数</translation>
    </message>
    <message>
        <source>of one evaluation; 0: all that is held out</source>
        <translation>每次评估的 batch 数；0：全部留出数据</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Optimizer arguments</source>
        <translation>优化器参数</translation>
    </message>
    <message>
        <source>further ones, e.g. {momentum: 0.9, nesterov: true}</source>
        <translation>其他参数，例如 {momentum: 0.9, nesterov: true}</translation>
    </message>
    <message>
        <source>Parameter groups</source>
        <translation>参数组</translation>
    </message>
    <message>
        <source>by patterns of names, e.g. {&quot;*.wte.weight&quot;: {lr: 1e-4}}</source>
        <translation>按名称模式，例如 {&quot;*.wte.weight&quot;: {lr: 1e-4}}</translation>
    </message>
    <message>
        <source>Betas</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>decay rates of the two moments</source>
        <translation>两个矩的衰减率</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Decay all</source>
        <translation>全部衰减</translation>
    </message>
    <message>
        <source>biases and norms too</source>
        <translation>也包括偏置和归一化层</translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation>重计算激活</translation>
    </message>
    <message>
        <source>less memory for a third more time</source>
        <translation>以多三分之一的时间换取更少的内存</translation>
    </message>
    <message>
        <source>Average of weights</source>
        <translation>权重平均</translation>
    </message>
    <message>
        <source>share of the old average, e.g. 0.999; 0: none</source>
        <translation>旧平均值所占比例，例如 0.999；0：无</translation>
    </message>
    <message>
        <source>SWA from step</source>
        <translation>SWA 起始步</translation>
    </message>
    <message>
        <source>average of all weights from there on; 0: none</source>
        <translation>从该步起对所有权重取平均；0：无</translation>
    </message>
    <message>
        <source>SWA every</source>
        <translation>SWA 间隔</translation>
    </message>
    <message>
        <source>SWA rate</source>
        <translation>SWA 学习率</translation>
    </message>
    <message>
        <source>learning rate of the average; 0: as scheduled</source>
        <translation>平均阶段的学习率；0：按调度</translation>
    </message>
    <message>
        <source>SWA annealing</source>
        <translation>SWA 退火</translation>
    </message>
    <message>
        <source>steps to that rate</source>
        <translation>过渡到该学习率的步数</translation>
    </message>
    <message>
        <source>SWA course</source>
        <translation>SWA 过渡方式</translation>
    </message>
    <message>
        <source>to that rate</source>
        <translation>过渡到该学习率</translation>
    </message>
    <message>
        <source>Local SGD</source>
        <translation>Local SGD</translation>
    </message>
    <message>
        <source>steps between two averages of the ranks&apos; weights; 0: off</source>
        <translation>各 rank 权重两次平均之间的步数；0：关闭</translation>
    </message>
    <message>
        <source>with fp16: at the start</source>
        <translation>使用 fp16 时：初始值</translation>
    </message>
    <message>
        <source>Loss scale doubles after</source>
        <translation>loss scale 加倍间隔</translation>
    </message>
    <message>
        <source>with fp16: good steps in a row</source>
        <translation>使用 fp16 时：连续正常的步数</translation>
    </message>
    <message>
        <source>TensorFloat-32</source>
        <translation>TensorFloat-32</translation>
    </message>
    <message>
        <source>on NVIDIA GPUs</source>
        <translation>在 NVIDIA GPU 上</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN 或无穷大</translation>
    </message>
    <message>
        <source>what to do when loss or gradients are not finite</source>
        <translation>损失或梯度非有限值时的处理方式</translation>
    </message>
    <message>
        <source>Loss spikes</source>
        <translation>损失突增</translation>
    </message>
    <message>
        <source>what to do when the loss spikes</source>
        <translation>损失突增时的处理方式</translation>
    </message>
    <message>
        <source>Spike threshold</source>
        <translation>突增阈值</translation>
    </message>
    <message>
        <source>standard deviations above the recent losses</source>
        <translation>高于近期损失的标准差倍数</translation>
    </message>
    <message>
        <source>Spike window</source>
        <translation>突增窗口</translation>
    </message>
    <message>
        <source>Stop after</source>
        <translation>停止条件</translation>
    </message>
    <message>
        <source>non-finite steps in a row; 0: never</source>
        <translation>连续出现非有限值的步数；0：从不停止</translation>
    </message>
    <message>
        <source>Slow ranks</source>
        <translation>慢速 rank</translation>
    </message>
    <message>
        <source>checked after this many steps; 0: never</source>
        <translation>每隔这么多步检查一次；0：从不</translation>
    </message>
    <message>
        <source>Weights agree</source>
        <translation>权重一致性</translation>
    </message>
    <message>
        <source>compared across ranks after this many steps; 0: never</source>
        <translation>每隔这么多步在各 rank 间比较一次；0：从不</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO stage</translation>
    </message>
    <message>
        <source>sharded over the ranks: 0 nothing, 1 optimizer state, 2 also gradients</source>
        <translation>在各 rank 间分片：0 不分片，1 优化器状态，2 还包括梯度</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>流水线 stage 数</translation>
    </message>
    <message>
        <source>ranks that share the model&apos;s layers; 1: none</source>
        <translation>分担模型各层的 rank 数；1：无</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>the sizes multiply to the number of ranks; 0: as many as the others leave</source>
        <translation>各项大小之积等于 rank 数；0：其余各项所剩的数量</translation>
    </message>
    <message>
        <source>Ranks of ZeRO</source>
        <translation>ZeRO 的 rank 数</translation>
    </message>
    <message>
        <source>share out what its stage says; 0: as many as the others leave</source>
        <translation>分担其 stage 所指定的内容；0：其余各项所剩的数量</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>1 in this version</source>
        <translation>此版本中为 1</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>流水线调度</translation>
    </message>
    <message>
        <source>order of forwards and backwards</source>
        <translation>前向与反向的顺序</translation>
    </message>
    <message>
        <source>Gradient buckets</source>
        <translation>梯度桶</translation>
    </message>
    <message>
        <source>MiB, at least</source>
        <translation>MiB，至少</translation>
    </message>
    <message>
        <source>First bucket</source>
        <translation>第一个桶</translation>
    </message>
    <message>
        <source>MiB, at least; 0: as the others</source>
        <translation>MiB，至少；0：与其他桶相同</translation>
    </message>
    <message>
        <source>Unused parameters</source>
        <translation>未使用的参数</translation>
    </message>
    <message>
        <source>get zero gradients; off: an error</source>
        <translation>得到零梯度；关闭：视为错误</translation>
    </message>
    <message>
        <source>Check gradients</source>
        <translation>检查梯度</translation>
    </message>
    <message>
        <source>ranks compare which parameters have some</source>
        <translation>各 rank 比较哪些参数有梯度</translation>
    </message>
    <message>
        <source>Check collectives</source>
        <translation>检查集合通信</translation>
    </message>
    <message>
        <source>ranks compare shapes before each one; slower</source>
        <translation>每次之前各 rank 比较形状；较慢</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>of gradients between ranks</source>
        <translation>rank 之间的梯度</translation>
    </message>
    <message>
        <source>Compression&apos;s format</source>
        <translation>压缩格式</translation>
    </message>
    <message>
        <source>PowerSGD options</source>
        <translation>PowerSGD 选项</translation>
    </message>
    <message>
        <source>e.g. {matrix_approximation_rank: 2}</source>
        <translation>例如 {matrix_approximation_rank: 2}</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>checkpoint</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>保存间隔</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>newest checkpoints; 0: all</source>
        <translation>最新的 checkpoint 数；0：全部</translation>
    </message>
    <message>
        <source>Keep best</source>
        <translation>保留最佳</translation>
    </message>
    <message>
        <source>by the metric below, besides the last</source>
        <translation>除最后一个外，按下面的指标</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>最佳依据</translation>
    </message>
    <message>
        <source>curve that says how good one is</source>
        <translation>用于评判 checkpoint 优劣的曲线</translation>
    </message>
    <message>
        <source>Best is</source>
        <translation>最佳为</translation>
    </message>
    <message>
        <source>the lowest or the highest value</source>
        <translation>最低值或最高值</translation>
    </message>
    <message>
        <source>Type of exports</source>
        <translation>导出类型</translation>
    </message>
    <message>
        <source>auto: the type of the weights it starts from</source>
        <translation>auto：与起始权重的类型相同</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>后台保存</translation>
    </message>
    <message>
        <source>train on while files are written</source>
        <translation>写入文件时继续训练</translation>
    </message>
    <message>
        <source>Resume from</source>
        <translation>恢复自</translation>
    </message>
    <message>
        <source>checkpoint or run folder to go on from; empty: from the start</source>
        <translation>作为起点的 checkpoint 或运行文件夹；留空：从头开始</translation>
    </message>
    <message>
        <source>Log metrics every</source>
        <translation>指标记录间隔</translation>
    </message>
    <message>
        <source>Histograms every</source>
        <translation>直方图间隔</translation>
    </message>
    <message>
        <source>steps; 0: none</source>
        <translation>步；0：无</translation>
    </message>
    <message>
        <source>Trackers</source>
        <translation>跟踪器</translation>
    </message>
    <message>
        <source>besides the run&apos;s own: jsonl, csv, ...</source>
        <translation>除运行自身的记录外：jsonl, csv, ...</translation>
    </message>
    <message>
        <source>Samples of the model</source>
        <translation>模型生成样本</translation>
    </message>
    <message>
        <source>Write every</source>
        <translation>生成间隔</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>what samples begin with; several as [&quot;one&quot;, &quot;two&quot;]</source>
        <translation>样本的开头；多个时写成 [&quot;one&quot;, &quot;two&quot;]</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>most new tokens</source>
        <translation>新 token 的最大数量</translation>
    </message>
    <message>
        <source>Draw tokens</source>
        <translation>随机采样 token</translation>
    </message>
    <message>
        <source>off: the most likely ones</source>
        <translation>关闭：取概率最高的 token</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>below 1: likely tokens become more likely</source>
        <translation>小于 1：高概率 token 的概率更高</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>most likely tokens; 0: all</source>
        <translation>概率最高的 token 数；0：全部</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>probability of the tokens drawn from</source>
        <translation>参与采样的 token 的累计概率</translation>
    </message>
    <message>
        <source>Profiler</source>
        <translation>性能分析器</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>steps in a row; 0: none</source>
        <translation>连续步数；0：无</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>steps before each recording</source>
        <translation>每次记录前的步数</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>记录次数</translation>
    </message>
    <message>
        <source>0: until the end</source>
        <translation>0：直到结束</translation>
    </message>
    <message>
        <source>Skip first</source>
        <translation>跳过开头</translation>
    </message>
    <message>
        <source>steps at the start</source>
        <translation>开头的步数</translation>
    </message>
    <message>
        <source>Activities</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>cpu, cuda; empty: all</source>
        <translation>cpu, cuda；留空：全部</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>of the inputs of operators</source>
        <translation>算子输入的形状</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>every allocation</source>
        <translation>每次分配</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>of matrix products and convolutions</source>
        <translation>矩阵乘法和卷积的 FLOPs</translation>
    </message>
    <message>
        <source>Trace folder</source>
        <translation>trace 文件夹</translation>
    </message>
    <message>
        <source>empty: traces of the run&apos;s folder</source>
        <translation>留空：运行文件夹中的 traces</translation>
    </message>
    <message>
        <source>%1 machines</source>
        <translation>%1 台机器</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>Replicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>no text yet</source>
        <translation>尚无文本</translation>
    </message>
    <message>
        <source>several paths</source>
        <translation>多个路径</translation>
    </message>
    <message>
        <source>saved at the end</source>
        <translation>结束时保存</translation>
    </message>
    <message>
        <source>saved every %1 steps</source>
        <translation>每 %1 步保存</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>训练模型</translation>
    </message>
    <message>
        <source>Own script</source>
        <translation>自有脚本</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>%1 steps, lr %2</source>
        <translation>%1 步，lr %2</translation>
    </message>
    <message>
        <source>check, save</source>
        <translation>检查，保存</translation>
    </message>
    <message>
        <source>check, launch</source>
        <translation>检查，启动</translation>
    </message>
    <message>
        <source>the script decides</source>
        <translation>由脚本决定</translation>
    </message>
    <message>
        <source>only for runs</source>
        <translation>仅用于运行</translation>
    </message>
    <message>
        <source>only with your own script</source>
        <translation>仅用于自有脚本</translation>
    </message>
    <message>
        <source>one copy of the model on this kind of machine</source>
        <translation>此类机器上只有一份模型</translation>
    </message>
    <message>
        <source>one rank has nothing to share</source>
        <translation>只有一个 rank，无需分担</translation>
    </message>
    <message>
        <source>asked under Cloud</source>
        <translation>在“云”中询问</translation>
    </message>
    <message>
        <source>only for SageMaker and TPU</source>
        <translation>仅用于 SageMaker 和 TPU</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Cloud and TPU</source>
        <translation>云与 TPU</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>%1 秒前</translation>
    </message>
    <message>
        <source>%1 m ago</source>
        <translation>%1 分钟前</translation>
    </message>
    <message>
        <source>%1 h %2 m ago</source>
        <translation>%1 小时 %2 分钟前</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation>%1 天前</translation>
    </message>
    <message>
        <source>Language of the window for this start: %1.</source>
        <translation>本次启动窗口使用的语言：%1。</translation>
    </message>
    <message>
        <source>--language %1 is not known: write one of %2.</source>
        <translation>未知的 --language %1：请使用 %2 之一。</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a date</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>format of a date</comment>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm:ss</source>
        <comment>format of a date</comment>
        <translation>yyyy年M月d日 HH:mm:ss</translation>
    </message>
    <message>
        <source>Open this page: %1. Its subject follows a colon: run:ID, new:PAGE, hosts:NAME, compare:ID,ID.</source>
        <translation>打开此页面：%1。其对象写在冒号之后：run:ID、new:PAGE、hosts:NAME、compare:ID,ID。</translation>
    </message>
    <message>
        <source>--page %1 is not known: write one of %2.</source>
        <translation>未知的 --page %1：请使用 %2 之一。</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>starting</source>
        <comment>state of a rank</comment>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <comment>state of a rank</comment>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>finished</source>
        <comment>state of a rank</comment>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <comment>state of a rank</comment>
        <translation>失败</translation>
    </message>
    <message>
        <source>killed</source>
        <comment>state of a rank</comment>
        <translation>被终止</translation>
    </message>
    <message>
        <source>lost</source>
        <comment>state of a rank</comment>
        <translation>失联</translation>
    </message>
    <message>
        <source>init</source>
        <comment>phase of a rank</comment>
        <translation>初始化</translation>
    </message>
    <message>
        <source>data</source>
        <comment>phase of a rank</comment>
        <translation>数据</translation>
    </message>
    <message>
        <source>forward</source>
        <comment>phase of a rank</comment>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <comment>phase of a rank</comment>
        <translation>反向</translation>
    </message>
    <message>
        <source>reduce</source>
        <comment>phase of a rank</comment>
        <translation>归约</translation>
    </message>
    <message>
        <source>optimizer</source>
        <comment>phase of a rank</comment>
        <translation>优化器</translation>
    </message>
    <message>
        <source>evaluate</source>
        <comment>phase of a rank</comment>
        <translation>评估</translation>
    </message>
    <message>
        <source>save</source>
        <comment>phase of a rank</comment>
        <translation>保存</translation>
    </message>
    <message>
        <source>paused</source>
        <comment>phase of a rank</comment>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Plug-ins</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>shared libraries with models, data sets, losses and metrics</source>
        <translation>包含模型、数据集、损失函数和指标的共享库</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>of sentence embeddings or of a plug-in; empty: that of the task</source>
        <translation>句子嵌入的或插件中的损失函数；留空：使用任务自身的损失函数</translation>
    </message>
    <message>
        <source>TorchScript file</source>
        <translation>TorchScript 文件</translation>
    </message>
    <message>
        <source>of torch.jit.save, with the family torchscript; its code runs, so it must be trusted</source>
        <translation>由 torch.jit.save 写出，用于 torchscript 系列；其中的代码会被执行，因此必须可信</translation>
    </message>
    <message>
        <source>Data set of a plug-in</source>
        <translation>插件中的数据集</translation>
    </message>
    <message>
        <source>its name, in the place of files</source>
        <translation>其名称，用来代替文件</translation>
    </message>
    <message>
        <source>Its arguments</source>
        <translation>其参数</translation>
    </message>
    <message>
        <source>a table, e.g. {points: 2000}</source>
        <translation>一个表，例如 {points: 2000}</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>of plug-ins, by their names</source>
        <translation>插件中的指标，按名称给出</translation>
    </message>
    <message>
        <source>Keep every</source>
        <translation>每隔保留</translation>
    </message>
    <message>
        <source>steps, besides the last; 0: no such rule</source>
        <translation>步，最近的除外；0：无此规则</translation>
    </message>
    <message>
        <source>from the desktop</source>
        <translation>来自桌面</translation>
    </message>
    <message>
        <source>from the terminal</source>
        <translation>来自终端</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Frozen weights</source>
        <translation>冻结的权重</translation>
    </message>
    <message>
        <source>where those that are not trained lie: auto, disk, or a device map (JSON); empty: in memory</source>
        <translation>未训练的权重存放在哪里：auto、disk 或设备映射 (JSON)；留空：在内存中</translation>
    </message>
    <message>
        <source>Memory for them</source>
        <translation>用于它们的内存</translation>
    </message>
    <message>
        <source>at most, with auto: cpu=2GB</source>
        <translation>最多，与 auto 一起使用：cpu=2GB</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>nvme: in files on a disk, of which a part at a time is in memory (on processors)</source>
        <translation>nvme：存放在磁盘文件中，每次只有一部分在内存中（在处理器上）</translation>
    </message>
    <message>
        <source>Folder for it</source>
        <translation>存放它的文件夹</translation>
    </message>
    <message>
        <source>on a fast local disk</source>
        <translation>在快速的本地磁盘上</translation>
    </message>
    <message>
        <source>This run is a copy of a run on another machine. Its run.yaml was written there, so it is not executed here.</source>
        <translation>此运行是另一台机器上某次运行的副本。其 run.yaml 在那台机器上写成，因此不在这里执行。</translation>
    </message>
    <message>
        <source>This run is a copy of a run on %1. Its run.yaml was written there, so it is not executed here.</source>
        <translation>此运行是 %1 上某次运行的副本。其 run.yaml 在那里写成，因此不在这里执行。</translation>
    </message>
    <message>
        <source>This run belongs to another user of this machine, so its run.yaml is not executed with your rights.</source>
        <translation>此运行属于本机的另一位用户，因此不会以您的权限执行其 run.yaml。</translation>
    </message>
    <message>
        <source>This run was not started on this machine by you, and it is not in your folder of runs. Its run.yaml may come from anybody, so it is not executed.</source>
        <translation>此运行不是由您在本机启动的，也不在您的运行文件夹中。其 run.yaml 可能来自任何人，因此不会执行。</translation>
    </message>
    <message>
        <source>Connect to %1?</source>
        <translation>要连接到 %1 吗？</translation>
    </message>
    <message>
        <source>You are asked once for each folder.</source>
        <translation>每个文件夹只询问一次。</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>运行未启动</translation>
    </message>
    <message>
        <source>The run was not started: see Notifications.</source>
        <translation>运行未启动：请查看“通知”。</translation>
    </message>
    <message>
        <source>Start this run on this machine?</source>
        <translation>要在本机启动此运行吗？</translation>
    </message>
    <message>
        <source>%1 was not written by a launch of this account, or has changed since. Starting it executes, with your rights:</source>
        <translation>%1 不是由本账户的启动写成的，或此后已被更改。启动它会以您的权限执行：</translation>
    </message>
    <message>
        <source>You are asked once for each folder, and again if the file changes.</source>
        <translation>每个文件夹只询问一次；文件更改后会再次询问。</translation>
    </message>
    <message>
        <source>Not started on this machine</source>
        <translation>未在本机启动</translation>
    </message>
    <message>
        <source>You can open it as a draft: New run shows all of it, and nothing is executed before you press Launch.</source>
        <translation>您可以将其作为草稿打开：“新建运行”会显示全部内容，在您按下“启动”之前不会执行任何内容。</translation>
    </message>
    <message>
        <source>Open as a draft</source>
        <translation>作为草稿打开</translation>
    </message>
    <message>
        <source>the engine of Trainyard, with the recipe of this file</source>
        <translation>Trainyard 的引擎，使用此文件的配方</translation>
    </message>
    <message>
        <source>%1 says that it is a copy of a run on this host. It was not made by this program on this account, so it may come from anybody. To follow the run, this program logs in to the host and reads:</source>
        <translation>%1 自称是此主机上某次运行的副本。它不是由本程序在本账户下创建的，可能来自任何人。要跟踪该运行，本程序会登录该主机并读取：</translation>
    </message>
    <message>
        <source>%1 does not say which host it is a copy from.</source>
        <translation>%1 没有说明它是哪台主机的副本。</translation>
    </message>
    <message>
        <source>%1 has no effect: %2.</source>
        <translation>%1 不起作用：%2。</translation>
    </message>
    <message>
        <source>%1 has an effect only if the program starts Python.</source>
        <translation>仅当程序启动 Python 时，%1 才起作用。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AlarmSettings</name>
    <message>
        <source>Alarms of %1</source>
        <translation>%1 的告警</translation>
    </message>
    <message>
        <source>These settings apply to this run only.</source>
        <translation>这些设置仅适用于此运行。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>In app</source>
        <translation>应用内</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>桌面</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AlarmWatch</name>
    <message>
        <source>no step for %1, since step %2</source>
        <translation>自第 %2 步起已有 %1 没有新步</translation>
    </message>
    <message>
        <source>the loss is not a number at step %1</source>
        <translation>第 %1 步的损失不是数值</translation>
    </message>
    <message>
        <source>the loss is %1, above %2</source>
        <translation>损失为 %1，高于 %2</translation>
    </message>
    <message>
        <source>the smoothed loss has risen from %1 to %2 since step %3</source>
        <translation>自第 %3 步起，平滑损失已从 %1 上升到 %2</translation>
    </message>
    <message>
        <source>%1 tok/s, usually %2</source>
        <translation>%1 tok/s，平常为 %2</translation>
    </message>
    <message>
        <source>%1 are free beside the run&apos;s folder</source>
        <translation>运行文件夹所在磁盘可用 %1</translation>
    </message>
    <message>
        <source>%1 % of a machine&apos;s memory are in use</source>
        <translation>一台机器的内存已使用 %1 %</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AnswerPanel</name>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Checkpoint, %1</source>
        <translation>checkpoint，%1</translation>
    </message>
    <message>
        <source>A checkpoint, an adapter or a model of transformers from another folder</source>
        <translation>来自其他文件夹的 checkpoint、适配器或 transformers 模型</translation>
    </message>
    <message>
        <source>Answer, %1</source>
        <translation>回答，%1</translation>
    </message>
    <message>
        <source>The text appears here as it is written.</source>
        <translation>文本会随生成过程显示在此处。</translation>
    </message>
    <message>
        <source>A model to try</source>
        <translation>要试用的模型</translation>
    </message>
    <message>
        <source>No checkpoint: choose a folder</source>
        <translation>没有 checkpoint：请选择文件夹</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 per second</source>
        <translation>，每秒 %1 个</translation>
    </message>
    <message>
        <source>, ended by the model</source>
        <translation>，由模型结束</translation>
    </message>
    <message>
        <source>, the model sees %1 tokens and no more</source>
        <translation>，模型最多只能看到 %1 个 token</translation>
    </message>
    <message>
        <source>, stopped</source>
        <translation>，已停止</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在生成…</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AnswersPanel</name>
    <message>
        <source>%1, %2 tokens/s</source>
        <translation>%1，%2 token/s</translation>
    </message>
    <message>
        <source>Loss in chunks</source>
        <translation>分块计算损失</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash attention</translation>
    </message>
    <message>
        <source>Products in %1</source>
        <translation>以 %1 做乘法</translation>
    </message>
    <message>
        <source>8-bit AdamW</source>
        <translation>8 位 AdamW</translation>
    </message>
    <message>
        <source>Full checkpointing</source>
        <translation>完全重计算激活</translation>
    </message>
    <message>
        <source>Selective checkpointing</source>
        <translation>选择性重计算激活</translation>
    </message>
    <message>
        <source>Offload optimizer</source>
        <translation>卸载优化器</translation>
    </message>
    <message>
        <source>ZeRO %1</source>
        <translation>ZeRO %1</translation>
    </message>
    <message>
        <source>Micro-batch %1</source>
        <translation>micro-batch %1</translation>
    </message>
    <message>
        <source>Tensor parallel %1</source>
        <translation>张量并行 %1</translation>
    </message>
    <message>
        <source>Pipeline stages %1</source>
        <translation>流水线 stage %1</translation>
    </message>
    <message>
        <source>Fullest rank</source>
        <translation>占用最多的 rank</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>可容纳范围</translation>
    </message>
    <message>
        <source>Largest micro-batch</source>
        <translation>最大 micro-batch</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>最长序列</translation>
    </message>
    <message>
        <source>Fewest devices</source>
        <translation>最少设备数</translation>
    </message>
    <message>
        <source>Save memory, cheapest first</source>
        <translation>节省内存，代价最小者优先</translation>
    </message>
    <message>
        <source>Modelled: the memory of layouts that this engine trains was measured, the rest follows published formulas.</source>
        <translation>模型估算：此引擎可训练的布局的内存为实测值，其余依据已发表的公式。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>应用：%1</translation>
    </message>
    <message>
        <source>%1 x %2</source>
        <translation>%1 x %2</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未评判</translation>
    </message>
    <message>
        <source>of %1, range %2 - %3</source>
        <translation>共 %1，范围 %2 - %3</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>可容纳</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>无法容纳</translation>
    </message>
    <message>
        <source>%1 spare</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>A step takes about %1 (%2 - %3), %4 tokens/s</source>
        <translation>每步约需 %1（%2 - %3），%4 token/s</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 % speed</source>
        <translation>速度 %1 %</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>试用：%1</translation>
    </message>
    <message>
        <source>%1 short on this rank</source>
        <translation>此 rank 缺少 %1</translation>
    </message>
    <message>
        <source>%1 of host memory short: a host has %2</source>
        <translation>主机内存缺少 %1：每台主机有 %2</translation>
    </message>
    <message>
        <source>Optimizer state on disk</source>
        <translation>优化器状态在磁盘上</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AppContext</name>
    <message>
        <source>Launching…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>运行未启动</translation>
    </message>
    <message>
        <source>The run was not started: see Notifications.</source>
        <translation>运行未启动：请查看“通知”。</translation>
    </message>
    <message>
        <source>A run on another host is not followed</source>
        <translation>无法跟踪其他主机上的运行</translation>
    </message>
    <message>
        <source>The program trainyard</source>
        <translation>程序 trainyard</translation>
    </message>
    <message>
        <source>%1 says that it is a copy of a run on another machine, and was not made by this program. Open it and press Reconnect to see which host it names.</source>
        <translation>%1 自称是另一台机器上某次运行的副本，且不是由本程序创建的。请打开它并按“重新连接”，查看它指定的主机。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AppearanceSettings</name>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Black and white with strong lines</source>
        <translation>黑白配色，线条清晰</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>System follows the theme of the desktop</source>
        <translation>“系统”跟随桌面的主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>System follows the language of the desktop</source>
        <translation>“系统”跟随桌面的语言</translation>
    </message>
    <message>
        <source>The window has this language when it is started again; runs go on meanwhile.</source>
        <translation>重新启动窗口后使用此语言；期间运行会继续。</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>set by QT_SCALE_FACTOR in the environment, so it cannot be changed here</source>
        <translation>由环境变量 QT_SCALE_FACTOR 设置，因此不能在此更改</translation>
    </message>
    <message>
        <source>of text and of all that belongs to it</source>
        <translation>文字及其相关的一切</translation>
    </message>
    <message>
        <source>The window has this size when it is started again; runs go on meanwhile.</source>
        <translation>重新启动窗口后使用此大小；期间运行会继续。</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>for eyes that tell greys apart with difficulty</source>
        <translation>适合难以分辨灰度的眼睛</translation>
    </message>
    <message>
        <source>The window has these colours when it is started again; runs go on meanwhile.</source>
        <translation>重新启动窗口后使用这些颜色；期间运行会继续。</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Without green</source>
        <translation>绿色盲</translation>
    </message>
    <message>
        <source>Preview of colours</source>
        <translation>颜色预览</translation>
    </message>
    <message>
        <source>The window as people without green cones (deuteranopia) see it; until it is closed</source>
        <translation>以缺少绿色视锥细胞（绿色盲）者的视角显示窗口；直到窗口关闭</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::BatchChart</name>
    <message>
        <source>Memory by micro-batch</source>
        <translation>内存与 micro-batch</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>checkpointed</source>
        <translation>重计算</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::BatchPanel</name>
    <message>
        <source>Keep</source>
        <translation>保持</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>Effective batch</source>
        <translation>有效 batch</translation>
    </message>
    <message>
        <source>Tuned on</source>
        <translation>调优时的 rank 数</translation>
    </message>
    <message>
        <source>Ranks these numbers were tuned on</source>
        <translation>调优这些数值时所用的 rank 数</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>个 rank</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>What becomes of the learning rate when the effective batch changes</source>
        <translation>有效 batch 改变时如何调整学习率</translation>
    </message>
    <message>
        <source>Keep the learning rate</source>
        <translation>保持学习率</translation>
    </message>
    <message>
        <source>The step time is known after a first run of this model.</source>
        <translation>首次运行此模型后即可得知每步时间。</translation>
    </message>
    <message>
        <source>about %1 a step and %2 in all, estimated from this machine&apos;s peak</source>
        <translation>每步约 %1，总计约 %2，根据本机峰值估算</translation>
    </message>
    <message>
        <source>%1 a step, %2 in all, at the speed of the run %3</source>
        <translation>每步 %1，总计 %2，按运行 %3 的速度</translation>
    </message>
    <message>
        <source>batch and accumulation are not whole numbers yet</source>
        <translation>batch 和累积还不是整数</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 = %4 sequences a step, %5 tokens</source>
        <translation>%1 × %2 × %3 = 每步 %4 个序列，%5 个 token</translation>
    </message>
    <message>
        <source>batch %1, accumulation %2, lr %3: %4</source>
        <translation>batch %1，累积 %2，lr %3：%4</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply %1</source>
        <translation>应用 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln 个 rank</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CalibrationLine</name>
    <message numerus="yes">
        <source>%n runs used %1 of their estimate (%2 to %3).</source>
        <translation>
            <numerusform>%n 次运行实际用量为估计的 %1 倍（%2 至 %3）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The program takes %1, measured by %n runs.</source>
        <translation>
            <numerusform>程序本身占用 %1，由 %n 次运行测得。</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>What runs on this device have measured no longer counts; the next runs measure anew</source>
        <translation>此设备上运行测得的数据不再计入；后续运行会重新测量</translation>
    </message>
    <message>
        <source>Learnt on %1: %2</source>
        <translation>在 %1 上学到：%2</translation>
    </message>
    <message>
        <source>Nothing is learnt on %1 yet: runs that end on it from now on count.</source>
        <translation>%1 上尚无校准数据：今后在其上结束的运行会计入。</translation>
    </message>
    <message>
        <source>    last by %1, %2</source>
        <translation>    最近来自 %1，%2</translation>
    </message>
    <message>
        <source>Kept in %1. From three runs of at least 512 MiB on, the factor counts in what fits.</source>
        <translation>保存在 %1。至少有三次不小于 512 MiB 的运行后，该系数才用于判断能否放下。</translation>
    </message>
    <message>
        <source>Forget what was learnt on %1</source>
        <translation>清除在 %1 上学到的数据</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CardGrid</name>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CardSet</name>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>已加星标</translation>
    </message>
    <message>
        <source>Without a group</source>
        <translation>未分组</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckTable</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>passed on %1 of %2</source>
        <translation>%2 台中有 %1 台通过</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 台主机</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckView</name>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckpointActions</name>
    <message>
        <source>Verifying %1</source>
        <translation>正在校验 %1</translation>
    </message>
    <message>
        <source>%1 is damaged</source>
        <translation>%1 已损坏</translation>
    </message>
    <message>
        <source>%1 has numbers that are not finite</source>
        <translation>%1 含有非有限数值</translation>
    </message>
    <message>
        <source>%1 has %2 NaN and %3 infinite elements.</source>
        <translation>%1 含有 %2 个 NaN 元素和 %3 个无穷大元素。</translation>
    </message>
    <message>
        <source>%1 is whole</source>
        <translation>%1 完好</translation>
    </message>
    <message>
        <source>Headers and lengths are right; for some files no checksum is known.</source>
        <translation>文件头和长度正确；部分文件没有记录校验和。</translation>
    </message>
    <message>
        <source>Every byte was read and is the one that was saved.</source>
        <translation>已读取每个字节，均与保存时一致。</translation>
    </message>
    <message>
        <source>It cannot be verified</source>
        <translation>无法校验</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Written and read back</source>
        <translation>已写入并读回验证</translation>
    </message>
    <message numerus="yes">
        <source>%1 with %n tensors in %2</source>
        <translation>
            <numerusform>%1，%2 中的 %n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>It was not written</source>
        <translation>未写入</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n checkpoints?</source>
        <translation>
            <numerusform>移除 %n 个 checkpoint？</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 go to the trash beside them, from which they can be put back.</source>
        <translation>%1 将移至同一位置的回收站，可从中还原。</translation>
    </message>
    <message>
        <source>It stays</source>
        <translation>予以保留</translation>
    </message>
    <message>
        <source>The newest whole checkpoint is never removed.</source>
        <translation>最新的完好 checkpoint 从不移除。</translation>
    </message>
    <message>
        <source>Remove %1?</source>
        <translation>移除 %1？</translation>
    </message>
    <message>
        <source>%1 go to the trash beside it.</source>
        <translation>%1 将移至同一位置的回收站。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Some of them stay</source>
        <translation>其中一些予以保留</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints removed</source>
        <translation>
            <numerusform>已移除 %n 个 checkpoint</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤消</translation>
    </message>
    <message>
        <source>It cannot be put back</source>
        <translation>无法还原</translation>
    </message>
    <message>
        <source>It cannot be removed</source>
        <translation>无法移除</translation>
    </message>
    <message>
        <source>It cannot be pinned</source>
        <translation>无法固定</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckpointsPage</name>
    <message>
        <source>Some tensors cannot be read</source>
        <translation>部分张量无法读取</translation>
    </message>
    <message>
        <source>%1 weights · %2 parameters · headers read in %3</source>
        <translation>权重 %1 · %2 个参数 · 文件头读取用时 %3</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>正在比较</translation>
    </message>
    <message>
        <source>Reading values</source>
        <translation>正在读取数值</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>，%1 / %2</translation>
    </message>
    <message>
        <source>, %1 left</source>
        <translation>，剩余 %1</translation>
    </message>
    <message>
        <source>It cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>They cannot be compared</source>
        <translation>无法比较</translation>
    </message>
    <message>
        <source>Not everything can be compared</source>
        <translation>并非所有内容都能比较</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>checkpoint</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Files, lengths, hashes, index, NaN (V)</source>
        <translation>文件、长度、哈希、索引、NaN (V)</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Try it: a prompt, and how this checkpoint continues it</source>
        <translation>试用：输入提示词，查看此 checkpoint 如何续写</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>On a host, over SSH…</source>
        <translation>通过 SSH 访问主机…</translation>
    </message>
    <message>
        <source>Checkpoints of your runs appear here.</source>
        <translation>各运行的 checkpoint 会显示在此处。</translation>
    </message>
    <message>
        <source>Any folder or file of weights can be opened: safetensors, torch, distributed checkpoints, ZeRO, GGUF.</source>
        <translation>可以打开任何权重文件夹或文件：safetensors、torch、分布式 checkpoint、ZeRO、GGUF。</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Resume from the chosen checkpoint</source>
        <translation>从所选 checkpoint 恢复</translation>
    </message>
    <message>
        <source>Verify it</source>
        <translation>校验</translation>
    </message>
    <message>
        <source>Compare it with the one before</source>
        <translation>与前一个比较</translation>
    </message>
    <message>
        <source>Pin it</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>打开 checkpoint</translation>
    </message>
    <message>
        <source>Checkpoint on another machine</source>
        <translation>其他机器上的 checkpoint</translation>
    </message>
    <message>
        <source>Host and folder, as in gpu-a:runs/today/checkpoints/checkpoint_500.
Only headers and what you look at are brought here.</source>
        <translation>主机和文件夹，例如 gpu-a:runs/today/checkpoints/checkpoint_500。
只会传输文件头和所查看的内容。</translation>
    </message>
    <message>
        <source>It cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接到 %1…</translation>
    </message>
    <message>
        <source>Resume from %1</source>
        <translation>从 %1 恢复</translation>
    </message>
    <message>
        <source>No checkpoint in %1 yet</source>
        <translation>%1 中还没有 checkpoint</translation>
    </message>
    <message>
        <source>%1 brought here</source>
        <translation>已传输 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints</source>
        <translation>
            <numerusform>%n 个 checkpoint</numerusform>
        </translation>
    </message>
    <message>
        <source>disk %1 free</source>
        <translation>磁盘可用 %1</translation>
    </message>
    <message>
        <source>Reading headers…</source>
        <translation>正在读取文件头…</translation>
    </message>
    <message>
        <source>It is being written</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>It is not whole</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>Resume from %1 instead.</source>
        <translation>请改为从 %1 恢复。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ChoiceCard</name>
    <message>
        <source>chosen. </source>
        <translation>已选择。 </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ColumnsPopup</name>
    <message>
        <source>Search settings and metrics</source>
        <translation>搜索设置和指标</translation>
    </message>
    <message>
        <source>Find a column</source>
        <translation>查找列</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>有差异的设置</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Equal settings</source>
        <translation>相同的设置</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Command, run or setting;  &gt;  commands   ?  shortcuts   @  hosts   :  step   key=  configuration</source>
        <translation>命令、运行或设置；  &gt;  命令   ?  快捷键   @  主机   :  步   key=  配置</translation>
    </message>
    <message>
        <source>This page has no steps</source>
        <translation>此页面没有步</translation>
    </message>
    <message>
        <source>A step is a whole number, e.g. :1200</source>
        <translation>步须为整数，例如 :1200</translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>转到第 %1 步</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CompareCurves</name>
    <message numerus="yes">
        <source>%1 = %2 (%n runs)</source>
        <translation>
            <numerusform>%1 = %2（%n 次运行）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CompareDrawer</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Runs across their settings</source>
        <translation>按设置排列的运行</translation>
    </message>
    <message>
        <source>Runs as points</source>
        <translation>以点表示的运行</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>分组依据</translation>
    </message>
    <message>
        <source>Runs with the same value of a setting as one line: mean, lowest and highest</source>
        <translation>将某项设置取值相同的运行合并为一条线：平均值、最低值和最高值</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较的内容</translation>
    </message>
    <message>
        <source>Each run minus the baseline, at the steps both have</source>
        <translation>每个运行减去基线，在两者共有的步上</translation>
    </message>
    <message>
        <source>All curves of these runs</source>
        <translation>这些运行的所有曲线</translation>
    </message>
    <message>
        <source>Settings that differ and the best value, as parallel coordinates and points</source>
        <translation>以平行坐标和点显示有差异的设置与最佳值</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>关闭比较</translation>
    </message>
    <message>
        <source>Close the comparison; C opens it again</source>
        <translation>关闭比较；按 C 重新打开</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Setting along the horizontal axis</source>
        <translation>横轴上的设置</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n runs</source>
        <translation>
            <numerusform>比较 %n 个运行</numerusform>
        </translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>按 %1</translation>
    </message>
    <message>
        <source>Tick a second run to see a difference.</source>
        <translation>再勾选一个运行即可查看差异。</translation>
    </message>
    <message>
        <source>Minus %1 (B on a run makes it the baseline).</source>
        <translation>减去 %1（在运行上按 B 可将其设为基线）。</translation>
    </message>
    <message numerus="yes">
        <source>%n without %1.</source>
        <translation>
            <numerusform>%n 个运行没有 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Curves of the first %1 of %2.</source>
        <translation>%2 条曲线中的前 %1 条。</translation>
    </message>
    <message>
        <source>highest %1</source>
        <translation>最高 %1</translation>
    </message>
    <message>
        <source>lowest %1</source>
        <translation>最低 %1</translation>
    </message>
    <message>
        <source>Self-contained report (*.html)</source>
        <translation>独立报告 (*.html)</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>保存比较</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ComparePanel</name>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>End the comparison</source>
        <translation>结束比较</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Fullest rank</source>
        <translation>占用最多的 rank</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>checkpoint</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>token/s</translation>
    </message>
    <message>
        <source>%1, and now</source>
        <translation>%1 与当前</translation>
    </message>
    <message>
        <source>%1 %2, now %3</source>
        <translation>%1 %2，现为 %3</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>it fitted and no longer does</source>
        <translation>原先放得下，现在放不下</translation>
    </message>
    <message>
        <source>it did not fit and now does</source>
        <translation>原先放不下，现在放得下</translation>
    </message>
    <message>
        <source>Nothing is set otherwise.</source>
        <translation>设置没有差别。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ConfigDiffPanel</name>
    <message>
        <source>Config diff</source>
        <translation>配置差异</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>要比较的运行</translation>
    </message>
    <message>
        <source>Keys that differ</source>
        <translation>有差异的键</translation>
    </message>
    <message>
        <source>%1: here %2, there %3</source>
        <translation>%1：此处为 %2，对方为 %3</translation>
    </message>
    <message>
        <source>no configuration to compare</source>
        <translation>没有可比较的配置</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>equal otherwise: %1</source>
        <translation>其余相同：%1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ConsentDialog</name>
    <message>
        <source>What is executed</source>
        <translation>将执行的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CurveArt</name>
    <message>
        <source>Picture of a falling loss curve</source>
        <translation>损失曲线下降的图片</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CurveCard</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>No curve of this name here.</source>
        <translation>此处没有该名称的曲线。</translation>
    </message>
    <message>
        <source>%1 of %2 curves</source>
        <translation>%1 / %2 条曲线</translation>
    </message>
    <message>
        <source>%1 curves</source>
        <translation>%1 条曲线</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CurvesPanel</name>
    <message>
        <source>Curves appear here as soon as there are any.</source>
        <translation>一旦有曲线，就会显示在此处。</translation>
    </message>
    <message>
        <source>No tag matches “%1”.</source>
        <translation>没有与“%1”匹配的标签。</translation>
    </message>
    <message>
        <source>Words must all occur in the name; /…/ is a regular expression.</source>
        <translation>名称中须包含所有词；/…/ 为正则表达式。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DataPage</name>
    <message>
        <source>Training data</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <source>Text, tables or arrays are read in place. Nothing is copied.</source>
        <translation>文本、表格或数组会就地读取，不会复制任何内容。</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Folder with text files</source>
        <translation>包含文本文件的文件夹</translation>
    </message>
    <message>
        <source>Text file</source>
        <translation>文本文件</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DataPanel</name>
    <message>
        <source>1 file, %1</source>
        <translation>1 个文件，%1</translation>
    </message>
    <message>
        <source>%1 files, %2</source>
        <translation>%1 个文件，%2</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>, %1 tokens</source>
        <translation>，%1 个 token</translation>
    </message>
    <message>
        <source>No file yet.</source>
        <translation>尚无文件。</translation>
    </message>
    <message>
        <source>No file has a name that the pattern matches.</source>
        <translation>没有名称与该模式匹配的文件。</translation>
    </message>
    <message>
        <source>Use %1: %2</source>
        <translation>使用 %1：%2</translation>
    </message>
    <message>
        <source>… %1 …</source>
        <translation>… %1 …</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DesktopNotifier</name>
    <message>
        <source>Open run</source>
        <translation>打开运行</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DifferencesPanel</name>
    <message>
        <source>What differs</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Final</source>
        <translation>最终</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Influence</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>Table of the comparison</source>
        <translation>比较表</translation>
    </message>
    <message>
        <source>Export the comparison…</source>
        <translation>导出比较…</translation>
    </message>
    <message>
        <source>Save the comparison as a report, a table or a picture</source>
        <translation>将比较保存为报告、表格或图片</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>%1, the baseline</source>
        <translation>%1，基线</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message numerus="yes">
        <source>%n settings. Tick another run to see what differs.</source>
        <translation>
            <numerusform>%n 项设置。再勾选一个运行即可查看差异。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys are equal in all %1.</source>
        <translation>
            <numerusform>有 %n 个键在全部 %1 个运行中相同。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No differences: all %n keys are equal.</source>
        <translation>
            <numerusform>没有差异：全部 %n 个键都相同。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without readable settings.</source>
        <translation>
            <numerusform>%n 个运行没有可读取的设置。</numerusform>
        </translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>%1: more is better</source>
        <translation>%1：越大越好</translation>
    </message>
    <message>
        <source>%1: less is better</source>
        <translation>%1：越小越好</translation>
    </message>
    <message>
        <source>Click to sort the runs by it</source>
        <translation>单击可按此对运行排序</translation>
    </message>
    <message>
        <source>No metrics have been read yet.</source>
        <translation>尚未读取任何指标。</translation>
    </message>
    <message>
        <source>No metric says by its name whether more or less of it is better.</source>
        <translation>没有任何指标能从名称判断越大越好还是越小越好。</translation>
    </message>
    <message>
        <source>A star marks the best run.</source>
        <translation>星号标记最佳的运行。</translation>
    </message>
    <message numerus="yes">
        <source>%n metrics of which neither more nor less is better are listed under Final.</source>
        <translation>
            <numerusform>有 %n 个指标无所谓大小优劣，列在“最终”中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>By chance</source>
        <translation>偶然概率</translation>
    </message>
    <message>
        <source>Fewer than %1 runs are not conclusive</source>
        <translation>少于 %1 个运行不足以得出结论</translation>
    </message>
    <message>
        <source>There are no two different values to compare</source>
        <translation>没有两个不同的值可供比较</translation>
    </message>
    <message>
        <source>Rank correlation: a larger value goes with a larger %1</source>
        <translation>秩相关：值越大，%1 越大</translation>
    </message>
    <message>
        <source>Rank correlation: a larger value goes with a smaller %1</source>
        <translation>秩相关：值越大，%1 越小</translation>
    </message>
    <message>
        <source>Correlation ratio: how much of the order of %1 the setting explains</source>
        <translation>相关比：该设置在多大程度上解释了 %1 的次序</translation>
    </message>
    <message>
        <source>Choose a metric to compare the settings with.</source>
        <translation>请选择要与设置进行比较的指标。</translation>
    </message>
    <message numerus="yes">
        <source>%n finished runs have %1: at least %2 are needed.</source>
        <translation>
            <numerusform>有 %n 个已完成的运行包含 %1：至少需要 %2 个。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No setting can be compared with %1: one of the two is the same in all %n finished runs.</source>
        <translation>
            <numerusform>没有设置可与 %1 比较：在全部 %n 个已完成的运行中，两者之一始终不变。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>By the best %1 of %n finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</source>
        <translation>
            <numerusform>依据 %n 个已完成运行的最佳 %1。在 %2 项设置中，会有 %3 项偶然低于 0.05。相关性不能证明因果关系。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DraftKeeper</name>
    <message>
        <source>The draft %1 could not be read; it is kept as %1.bad, and the form begins anew.</source>
        <translation>无法读取草稿 %1；它已另存为 %1.bad，表单将重新开始。</translation>
    </message>
    <message>
        <source>The draft could not be kept: %1</source>
        <translation>无法保存草稿：%1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::EngineLink</name>
    <message>
        <source>The engine was not found: neither %1 nor trainyard in PATH exists. Choose the program.</source>
        <translation>找不到引擎：%1 和 PATH 中的 trainyard 均不存在。请选择该程序。</translation>
    </message>
    <message>
        <source>, no </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 does not answer with its version: choose another program, or build it again.</source>
        <translation>%1 没有返回其版本：请选择其他程序，或重新构建。</translation>
    </message>
    <message>
        <source>The engine was not found: choose the program in the settings.</source>
        <translation>找不到引擎：请在设置中选择该程序。</translation>
    </message>
    <message>
        <source>The engine ended with code %1 and without a message.</source>
        <translation>引擎以代码 %1 退出，没有给出消息。</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::EstimatorPage</name>
    <message>
        <source>Estimator</source>
        <translation>估算器</translation>
    </message>
    <message>
        <source>Use in a new run</source>
        <translation>用于新运行</translation>
    </message>
    <message>
        <source>What a run needs on every rank, before it starts</source>
        <translation>运行开始前，每个 rank 所需的资源</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Open a file or folder...</source>
        <translation>打开文件或文件夹...</translation>
    </message>
    <message>
        <source>Memory per rank, GiB</source>
        <translation>每个 rank 的内存，GiB</translation>
    </message>
    <message>
        <source>Formula of %1</source>
        <translation>%1 的公式</translation>
    </message>
    <message>
        <source>By micro-batch, GiB</source>
        <translation>按 micro-batch，GiB</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Micro-batch</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Take a change back</source>
        <translation>撤回更改</translation>
    </message>
    <message>
        <source>Copy the table of parts</source>
        <translation>复制组成部分表</translation>
    </message>
    <message>
        <source>A config.json, weights or a recipe</source>
        <translation>config.json、权重或配方</translation>
    </message>
    <message>
        <source>Models (*.json *.safetensors *.yaml *.yml *.bin);;All files (*)</source>
        <translation>模型 (*.json *.safetensors *.yaml *.yml *.bin);;所有文件 (*)</translation>
    </message>
    <message>
        <source>This model cannot be estimated</source>
        <translation>无法估算此模型</translation>
    </message>
    <message>
        <source>How the weights were read</source>
        <translation>权重的读取方式</translation>
    </message>
    <message>
        <source>%1: %2 = %3%4</source>
        <translation>%1：%2 = %3%4</translation>
    </message>
    <message>
        <source>Largest tensors: %1</source>
        <translation>最大的张量：%1</translation>
    </message>
    <message>
        <source>Nothing of %1 on the device.</source>
        <translation>设备上没有 %1。</translation>
    </message>
    <message>
        <source>The settings were not written</source>
        <translation>设置未写入</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Look up on the hub...</source>
        <translation>在 hub 上查找...</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::EventsPanel</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertDelegate</name>
    <message>
        <source>flag of launch</source>
        <translation>launch 的标志</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertModel</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>SageMaker</source>
        <translation>SageMaker</translation>
    </message>
    <message>
        <source>Only on the command line</source>
        <translation>仅限命令行</translation>
    </message>
    <message>
        <source>Not known to this version</source>
        <translation>此版本未知</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>not known to this version; written back as it is</source>
        <translation>此版本未知；将原样写回</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>Only when %1</source>
        <translation>仅当 %1</translation>
    </message>
    <message>
        <source>Flag: %1</source>
        <translation>标志：%1</translation>
    </message>
    <message>
        <source>Environment of a rank: %1</source>
        <translation>rank 的环境变量：%1</translation>
    </message>
    <message>
        <source>Read by: %1</source>
        <translation>读取者：%1</translation>
    </message>
    <message>
        <source>Since Accelerate %1</source>
        <translation>自 Accelerate %1 起</translation>
    </message>
    <message>
        <source>Until Accelerate %1</source>
        <translation>至 Accelerate %1 止</translation>
    </message>
    <message>
        <source>%1, %2 set</source>
        <translation>%1，已设置 %2 项</translation>
    </message>
    <message>
        <source>a flag of launch</source>
        <translation>launch 的标志</translation>
    </message>
    <message>
        <source>not set, default %1</source>
        <translation>未设置，默认为 %1</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>读取者</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertTree</name>
    <message>
        <source>Every key of the settings</source>
        <translation>所有设置键</translation>
    </message>
    <message>
        <source>%1 set</source>
        <translation>已设置 %1 项</translation>
    </message>
    <message numerus="yes">
        <source>%Ln keys</source>
        <translation>
            <numerusform>%Ln 个键</numerusform>
        </translation>
    </message>
    <message>
        <source>Edit the value</source>
        <translation>编辑值</translation>
    </message>
    <message>
        <source>Remove it from the file</source>
        <translation>从文件中移除</translation>
    </message>
    <message>
        <source>Copy the key</source>
        <translation>复制键</translation>
    </message>
    <message>
        <source>Copy key and value</source>
        <translation>复制键和值</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertView</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>已设置</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Invalid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>Search key, meaning or flag</source>
        <translation>搜索键、含义或标志</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>已设置 %1</translation>
    </message>
    <message>
        <source>Changed %1</source>
        <translation>已更改 %1</translation>
    </message>
    <message>
        <source>Invalid %1</source>
        <translation>无效 %1</translation>
    </message>
    <message>
        <source>every key, %1 in all</source>
        <translation>全部键，共 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 keys</source>
        <translation>%1 / %2 个键</translation>
    </message>
    <message>
        <source>no key matches</source>
        <translation>没有匹配的键</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExportMenu</name>
    <message>
        <source>Merge into one file…</source>
        <translation>合并为一个文件…</translation>
    </message>
    <message>
        <source>Folder for transformers…</source>
        <translation>transformers 文件夹…</translation>
    </message>
    <message>
        <source>Convert to %1…</source>
        <translation>转换为 %1…</translation>
    </message>
    <message>
        <source>Shards of 5 GB with an index…</source>
        <translation>5 GB 分片并附索引…</translation>
    </message>
    <message>
        <source>torch.distributed.checkpoint for %1 ranks…</source>
        <translation>适用于 %1 个 rank 的 torch.distributed.checkpoint…</translation>
    </message>
    <message>
        <source>Average of all good ones…</source>
        <translation>所有完好 checkpoint 的平均…</translation>
    </message>
    <message>
        <source>Types, shards, shares, names…</source>
        <translation>类型、分片、比例、名称…</translation>
    </message>
    <message>
        <source>There is nothing to average</source>
        <translation>没有可平均的内容</translation>
    </message>
    <message>
        <source>An average needs two whole checkpoints or more.</source>
        <translation>求平均需要两个或更多完好的 checkpoint。</translation>
    </message>
    <message>
        <source>Average of %1 checkpoints</source>
        <translation>%1 个 checkpoint 的平均</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>写入</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FailurePanel</name>
    <message>
        <source>ended by signal %1 (%2)</source>
        <translation>被信号 %1 (%2) 终止</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出代码 %1</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Why the run failed</source>
        <translation>运行失败的原因</translation>
    </message>
    <message>
        <source>Open log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Last lines of the log</source>
        <translation>日志的最后几行</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Rank %1 failed first</source>
        <translation>rank %1 最先失败</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>时间 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>phase %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>last collective %1</source>
        <translation>最后的集合操作 %1</translation>
    </message>
    <message>
        <source>Resume from %1</source>
        <translation>从 %1 恢复</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FetchDialog</name>
    <message>
        <source>Looking for the newest checkpoint…</source>
        <translation>正在查找最新的 checkpoint…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Copying the checkpoint</source>
        <translation>正在复制 checkpoint</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1 of %2 copied to this machine.</source>
        <translation>已复制 %1 到本机，共 %2。</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Finder</name>
    <message>
        <source>Found</source>
        <translation>已找到</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FirstRunPage</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Start the sample run</source>
        <translation>启动示例运行</translation>
    </message>
    <message>
        <source>Choose engine…</source>
        <translation>选择引擎…</translation>
    </message>
    <message>
        <source>Nothing has run yet</source>
        <translation>还没有任何运行</translation>
    </message>
    <message>
        <source>What would you like to train?</source>
        <translation>想训练什么？</translation>
    </message>
    <message>
        <source>One click gets you a loss curve. You can close this window at any time; runs continue.</source>
        <translation>单击一次即可得到损失曲线。可以随时关闭此窗口，运行会继续。</translation>
    </message>
    <message>
        <source>Try it now</source>
        <translation>立即试用</translation>
    </message>
    <message>
        <source>Trains a small language model on Perl&apos;s manual, which is already on this machine.</source>
        <translation>用本机已有的 Perl 手册训练一个小型语言模型。</translation>
    </message>
    <message>
        <source>this machine · about a minute · works offline</source>
        <translation>本机 · 约一分钟 · 可离线使用</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>Start your own</source>
        <translation>自行创建</translation>
    </message>
    <message>
        <source>A few short pages, already filled in. Choose your text and change what you like.</source>
        <translation>几个简短的页面，已预先填好。选择文本，并按需更改。</translation>
    </message>
    <message>
        <source>on this machine, 1 to N ranks</source>
        <translation>在本机上，1 到 N 个 rank</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>GPT-2, 1 M to 10.8 M</source>
        <translation>GPT-2，1 M 到 10.8 M</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>your folder</source>
        <translation>自选文件夹</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>fp32 or bf16</source>
        <translation>fp32 或 bf16</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>A run folder or a folder of logs…</source>
        <translation>运行文件夹或日志文件夹…</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Logs of another machine…</source>
        <translation>其他机器上的日志…</translation>
    </message>
    <message>
        <source>Watch or open</source>
        <translation>监视或打开</translation>
    </message>
    <message>
        <source>A run folder to watch, a TensorBoard folder, or a recipe in YAML to start from.</source>
        <translation>可监视的运行文件夹、TensorBoard 文件夹，或作为起点的 YAML 配方。</translation>
    </message>
    <message>
        <source>nothing is copied or changed</source>
        <translation>不复制也不更改任何内容</translation>
    </message>
    <message>
        <source>drop a file or folder anywhere</source>
        <translation>可将文件或文件夹拖放到任意位置</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Opened lately</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>engine not ready</source>
        <translation>引擎未就绪</translation>
    </message>
    <message>
        <source>engine %1 ready</source>
        <translation>引擎 %1 已就绪</translation>
    </message>
    <message>
        <source>looking for the engine</source>
        <translation>正在查找引擎</translation>
    </message>
    <message>
        <source>The sample run was not started</source>
        <translation>示例运行未启动</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>首次运行</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FitPanel</name>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Does it fit?</source>
        <translation>能否容纳？</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>最大 batch</translation>
    </message>
    <message>
        <source>Use the largest batch that fits</source>
        <translation>使用可容纳的最大 batch</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未评判</translation>
    </message>
    <message>
        <source>The memory is estimated when the recipe has no errors.</source>
        <translation>配方没有错误时才会估算内存。</translation>
    </message>
    <message>
        <source>Trainyard does not know the model of your own program, so it cannot estimate its memory.</source>
        <translation>Trainyard 不了解自有程序中的模型，因此无法估算其内存。</translation>
    </message>
    <message>
        <source>This starts on SageMaker: the memory of its machines is not known here.</source>
        <translation>此运行在 SageMaker 上启动：此处无法得知其机器的内存。</translation>
    </message>
    <message>
        <source>The engine does not train with %1: no memory is estimated for it.</source>
        <translation>引擎不支持使用 %1 训练：无法估算其内存。</translation>
    </message>
    <message>
        <source>on %1 devices</source>
        <translation>在 %1 个设备上</translation>
    </message>
    <message>
        <source>on one device</source>
        <translation>在一个设备上</translation>
    </message>
    <message>
        <source>of %1 on this machine</source>
        <translation>本机共 %1</translation>
    </message>
    <message>
        <source>on this machine</source>
        <translation>在本机上</translation>
    </message>
    <message>
        <source>%1 ranks, %2 each.</source>
        <translation>%1 个 rank，每个 %2。</translation>
    </message>
    <message>
        <source>The memory of %1 is not known here.</source>
        <translation>此处无法得知 %1 的内存。</translation>
    </message>
    <message>
        <source>the devices</source>
        <translation>这些设备</translation>
    </message>
    <message>
        <source>Other machines are not checked.</source>
        <translation>不检查其他机器。</translation>
    </message>
    <message>
        <source>From the last recipe without errors.</source>
        <translation>来自最近一份没有错误的配方。</translation>
    </message>
    <message>
        <source>does not fit, %1 short</source>
        <translation>无法容纳，缺少 %1</translation>
    </message>
    <message>
        <source>tight, %1 spare</source>
        <translation>紧张，剩余 %1</translation>
    </message>
    <message>
        <source>fits, %1 spare</source>
        <translation>可容纳，剩余 %1</translation>
    </message>
    <message>
        <source>%1, now %2</source>
        <translation>%1，当前 %2</translation>
    </message>
    <message>
        <source>Not even one sequence at a time fits: choose a smaller model or fewer ranks.</source>
        <translation>即使一次一个序列也无法容纳：请选择更小的模型或更少的 rank。</translation>
    </message>
    <message>
        <source>What this model consists of is known when it is loaded: no memory is estimated for it.</source>
        <translation>该模型的组成要到加载时才知道，因此不估算其内存需求。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FlameGraph</name>
    <message>
        <source>Flame graph of the calls</source>
        <translation>调用火焰图</translation>
    </message>
    <message>
        <source>%1, %2 calls, %3 in all, %4 of its own, %5 %</source>
        <translation>%1，%2 次调用，共 %3，自身 %4，%5 %</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::GpuTile</name>
    <message>
        <source>GPU %1, %2</source>
        <translation>GPU %1，%2</translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation>占用率 %1 %</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>已用 %1，共 %2</translation>
    </message>
    <message>
        <source>%1, process %2 of %3, %4</source>
        <translation>%1，%3 的进程 %2，%4</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>占用率</translation>
    </message>
    <message>
        <source>mem</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::GroupTitle</name>
    <message>
        <source>%1, folded</source>
        <translation>%1，已折叠</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>折叠</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HardwarePage</name>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Open Hosts</source>
        <translation>打开“主机”</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Ranks on %1</source>
        <translation>%1 上的 rank 数</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未查询</translation>
    </message>
    <message>
        <source>Hosts of ~/.ssh/config and those you add appear here.</source>
        <translation>~/.ssh/config 中的主机和自行添加的主机会显示在此处。</translation>
    </message>
    <message>
        <source>Tick others to run there, or on several; each gets its own number of ranks.</source>
        <translation>勾选其他主机即可在其上运行，也可同时勾选多台；每台都有各自的 rank 数。</translation>
    </message>
    <message>
        <source>%1 ranks on %2 hosts. Addresses, ports and machine ranks are found out; what is asked about machines below does not count.</source>
        <translation>%1 个 rank，分布在 %2 台主机上。地址、端口和机器的 rank 会自动确定；下面关于机器的询问不起作用。</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HealthPanel</name>
    <message>
        <source>parameters differ from the other ranks</source>
        <translation>参数与其他 rank 不同</translation>
    </message>
    <message>
        <source>the same parameters</source>
        <translation>参数相同</translation>
    </message>
    <message>
        <source>rank %1 on %2 was %3 × slower, steps %4–%5</source>
        <translation>rank %1（%2）在第 %4–%5 步慢了 %3 倍</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Ranks by step</source>
        <translation>各步的 rank</translation>
    </message>
    <message>
        <source>Phases of a step</source>
        <translation>一步的各阶段</translation>
    </message>
    <message>
        <source>Phases of a step, or ranks</source>
        <translation>一步的各阶段，或各 rank</translation>
    </message>
    <message>
        <source>Own time</source>
        <translation>自身时间</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Grad norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Cell value</source>
        <translation>单元格的值</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>communicate</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>time of a step on rank 0</source>
        <translation>rank 0 上每步的时间</translation>
    </message>
    <message>
        <source>highlighted where the parameters differ from the other ranks</source>
        <translation>突出显示参数与其他 rank 不同之处</translation>
    </message>
    <message>
        <source>relative to the median of the step</source>
        <translation>相对于该步的中位数</translation>
    </message>
    <message>
        <source>relative to the highest value shown</source>
        <translation>相对于所显示的最高值</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HistogramBars</name>
    <message>
        <source>Histogram from %1 to %2</source>
        <translation>从 %1 到 %2 的直方图</translation>
    </message>
    <message>
        <source>No histogram yet</source>
        <translation>尚无直方图</translation>
    </message>
    <message>
        <source>No finite element</source>
        <translation>没有有限值元素</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>尚未读取</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostCard</name>
    <message>
        <source>asking…</source>
        <translation>正在查询…</translation>
    </message>
    <message>
        <source>last asked %1</source>
        <translation>上次查询：%1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostDetails</name>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>Opens your terminal with ssh (T)</source>
        <translation>用 ssh 打开终端 (T)</translation>
    </message>
    <message>
        <source>Asks the host what it has, without changing anything (P)</source>
        <translation>查询主机的配置，不做任何更改 (P)</translation>
    </message>
    <message>
        <source>More for this host</source>
        <translation>此主机的更多操作</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近一小时</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>host key %1</source>
        <translation>host key %1</translation>
    </message>
    <message>
        <source>asked just now</source>
        <translation>刚刚查询</translation>
    </message>
    <message>
        <source>asked %1</source>
        <translation>查询于 %1</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 个</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel asking %1</source>
        <translation>取消查询 %1</translation>
    </message>
    <message>
        <source>Probe %1</source>
        <translation>探测 %1</translation>
    </message>
    <message>
        <source>Connecting. Details of the host appear here in a moment.</source>
        <translation>正在连接。主机的详细信息稍后会显示在此处。</translation>
    </message>
    <message>
        <source>This host has not been asked yet. Probe reads what it has: GPUs, memory, disk, versions, clock. Nothing is changed there.</source>
        <translation>尚未查询此主机。探测会读取其配置：GPU、内存、磁盘、版本、时钟。不会更改那里的任何内容。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostDialog</name>
    <message>
        <source>Use this host for runs</source>
        <translation>将此主机用于运行</translation>
    </message>
    <message>
        <source>Copy lines for ~/.ssh/config</source>
        <translation>复制用于 ~/.ssh/config 的配置行</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>添加主机</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
    <message>
        <source>How to reach it is set in %1, which Trainyard only reads.</source>
        <translation>连接方式在 %1 中设置，Trainyard 只读取该文件。</translation>
    </message>
    <message>
        <source>Kept in Trainyard&apos;s own list; ~/.ssh/config is not touched.</source>
        <translation>保存在 Trainyard 自己的列表中；不会改动 ~/.ssh/config。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>what you call it, e.g. gpu-b</source>
        <translation>自定的称呼，例如 gpu-b</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>name or IP address; empty: the name itself</source>
        <translation>名称或 IP 地址；留空：使用上面的名称</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>empty: your own</source>
        <translation>留空：当前用户</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>empty: 22</source>
        <translation>留空：22</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>密钥文件</translation>
    </message>
    <message>
        <source>empty: agent and the usual keys</source>
        <translation>留空：代理和常用密钥</translation>
    </message>
    <message>
        <source>Jump host</source>
        <translation>跳板机</translation>
    </message>
    <message>
        <source>reached through it, e.g. me@bastion</source>
        <translation>经由它连接，例如 me@bastion</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>shown in place of the name</source>
        <translation>代替名称显示</translation>
    </message>
    <message>
        <source>Folder for runs</source>
        <translation>运行的文件夹</translation>
    </message>
    <message>
        <source>empty: its own default</source>
        <translation>留空：主机自身的默认值</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>path of trainyard there; empty: copied when needed</source>
        <translation>trainyard 在该主机上的路径；留空：需要时复制</translation>
    </message>
    <message>
        <source>Python for scripts</source>
        <translation>脚本所用的 Python</translation>
    </message>
    <message>
        <source>empty: python3</source>
        <translation>留空：python3</translation>
    </message>
    <message>
        <source>Most GPUs to use</source>
        <translation>最多使用的 GPU 数</translation>
    </message>
    <message>
        <source>empty: all</source>
        <translation>留空：全部</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>NAME=value, a line each; no secrets: ranks and logs show it</source>
        <translation>NAME=value，每行一个；不要填写机密信息：rank 和日志会显示它们</translation>
    </message>
    <message>
        <source>There is a host %1 already: choose another name.</source>
        <translation>主机 %1 已存在：请选择其他名称。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostKeyDialog</name>
    <message>
        <source>Trust and remember</source>
        <translation>信任并记住</translation>
    </message>
    <message>
        <source>This time only</source>
        <translation>仅此一次</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 shows a key of another type</source>
        <translation>%1 出示了另一种类型的密钥</translation>
    </message>
    <message>
        <source>First contact with %1</source>
        <translation>首次连接 %1</translation>
    </message>
    <message>
        <source>Is this %1?</source>
        <translation>这是 %1 吗？</translation>
    </message>
    <message>
        <source>Compare the key with what whoever runs it tells you, or with the output of this command on the host itself: if they are the same, nobody stands between you and it.</source>
        <translation>请将此密钥与该主机管理员提供的密钥，或与在该主机上运行此命令的输出进行比较：如果一致，则中间没有他人拦截。</translation>
    </message>
    <message>
        <source>You know %1%2 by its %3 key (line %4 of %5). The server was asked for that one and shows another. Either it was removed there, or this is not the same host.</source>
        <translation>%1%2 此前记录的是其 %3 密钥（%5 第 %4 行）。已向服务器请求该密钥，但它出示了另一个。要么该密钥已在那里被移除，要么这不是同一台主机。</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source>You have not been connected to %1 before%2.</source>
        <translation>此前没有连接过 %1%2。</translation>
    </message>
    <message>
        <source>The key as a picture</source>
        <translation>以图形显示的密钥</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Remembered in</source>
        <translation>记录在</translation>
    </message>
    <message>
        <source>Copy fingerprint</source>
        <translation>复制指纹</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostList</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>this machine, without SSH</source>
        <translation>本机，不使用 SSH</translation>
    </message>
    <message>
        <source>%1 has given another answer since this key was shown: nothing was trusted. Look at it again.</source>
        <translation>显示此密钥之后，%1 给出了不同的响应：未予信任。请重新查看。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostProblemPanel</name>
    <message>
        <source>Copy for the admin</source>
        <translation>复制给管理员</translation>
    </message>
    <message>
        <source>Show known_hosts</source>
        <translation>显示 known_hosts</translation>
    </message>
    <message>
        <source>Show transcript</source>
        <translation>显示连接记录</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>accepted, line %1 of %2</source>
        <translation>已接受，%2 第 %1 行</translation>
    </message>
    <message>
        <source>of another type, line %1</source>
        <translation>另一种类型，第 %1 行</translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>当前出示</translation>
    </message>
    <message>
        <source>%1 shows a different host key</source>
        <translation>%1 出示了不同的 host key</translation>
    </message>
    <message>
        <source>Trainyard has not connected. Either %1 was set up anew, or something between you and it answers in its place.</source>
        <translation>Trainyard 没有连接。可能 %1 已重新安装，也可能有第三方在中间冒充它作出响应。</translation>
    </message>
    <message>
        <source>The host key of %1 is revoked</source>
        <translation>%1 的 host key 已被吊销</translation>
    </message>
    <message>
        <source>Ask whoever runs %1 to read you its fingerprint. To go on, remove the old key from line %2 of %3, then connect again.</source>
        <translation>请向 %1 的管理员核对其指纹。要继续，请从 %3 的第 %2 行移除旧密钥，然后重新连接。</translation>
    </message>
    <message>
        <source>Look at the key…</source>
        <translation>查看密钥…</translation>
    </message>
    <message>
        <source>Keep blocked</source>
        <translation>保持阻止</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostsPage</name>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>SSH keys and agent</source>
        <translation>SSH 密钥与代理</translation>
    </message>
    <message>
        <source>Connections between hosts</source>
        <translation>主机之间的连接</translation>
    </message>
    <message>
        <source>Probe all</source>
        <translation>全部探测</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>添加主机</translation>
    </message>
    <message>
        <source>No hosts yet. Hosts in ~/.ssh/config appear here.</source>
        <translation>尚无主机。~/.ssh/config 中的主机会显示在此处。</translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>操作未成功</translation>
    </message>
    <message>
        <source>Tries a connection from every host to every other one</source>
        <translation>尝试从每台主机连接到其他每台主机</translation>
    </message>
    <message>
        <source>Find a host</source>
        <translation>查找主机</translation>
    </message>
    <message>
        <source>List of hosts</source>
        <translation>主机列表</translation>
    </message>
    <message>
        <source>Probe all hosts</source>
        <translation>探测所有主机</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>添加主机</translation>
    </message>
    <message>
        <source>Settings of the host…</source>
        <translation>主机设置…</translation>
    </message>
    <message>
        <source>Show transcript</source>
        <translation>显示连接记录</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Forget the host</source>
        <translation>移除此主机</translation>
    </message>
    <message>
        <source>Forget its settings</source>
        <translation>移除其设置</translation>
    </message>
    <message>
        <source>Not all hosts could be read</source>
        <translation>部分主机无法读取</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 及另外 %1 个</translation>
    </message>
    <message>
        <source>Hide those without GPU or not used</source>
        <translation>隐藏无 GPU 或未使用的主机</translation>
    </message>
    <message>
        <source>%1: no GPU or not used, hidden. Show</source>
        <translation>%1：无 GPU 或未使用，已隐藏。显示</translation>
    </message>
    <message>
        <source>reading ~/.ssh/config</source>
        <translation>正在读取 ~/.ssh/config</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 from ~/.ssh/config, and this machine</source>
        <translation>来自 ~/.ssh/config 的 %1 台，以及本机</translation>
    </message>
    <message>
        <source>%1 added, and this machine</source>
        <translation>已添加 %1 台，以及本机</translation>
    </message>
    <message>
        <source>%1 from ~/.ssh/config, %2 added, and this machine</source>
        <translation>来自 ~/.ssh/config 的 %1 台，已添加 %2 台，以及本机</translation>
    </message>
    <message>
        <source>asking 1 host</source>
        <translation>正在查询 1 台主机</translation>
    </message>
    <message>
        <source>asking %1 hosts</source>
        <translation>正在查询 %1 台主机</translation>
    </message>
    <message>
        <source>probed %1</source>
        <translation>探测于 %1</translation>
    </message>
    <message>
        <source>%1 was forgotten</source>
        <translation>已移除 %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤消</translation>
    </message>
    <message>
        <source>No terminal was opened</source>
        <translation>未能打开终端</translation>
    </message>
    <message>
        <source>Transcript of %1</source>
        <translation>%1 的连接记录</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostsPanel</name>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GMEM</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>MEM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>disk reads %1, writes %2</source>
        <translation>磁盘读取 %1，写入 %2</translation>
    </message>
    <message>
        <source>network in %1, out %2</source>
        <translation>网络接收 %1，发送 %2</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>可用 %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>silent for %1</source>
        <translation>已 %1 无响应</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HourChart</name>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Load of the last hour</source>
        <translation>最近一小时的负载</translation>
    </message>
    <message>
        <source>nothing was asked</source>
        <translation>未查询</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>−%1 min</source>
        <translation>−%1 分钟</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HubField</name>
    <message>
        <source>Name of a model on the hub</source>
        <translation>hub 上模型的名称</translation>
    </message>
    <message>
        <source>Look up</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Name on the hub, such as openai-community/gpt2</source>
        <translation>hub 上的名称，例如 openai-community/gpt2</translation>
    </message>
    <message>
        <source>Only config.json is brought, or the headers of the weights.</source>
        <translation>只获取 config.json 或权重的文件头。</translation>
    </message>
    <message>
        <source>%1 is no name of a model on a hub: it has one or two parts, such as org/name</source>
        <translation>%1 不是 hub 上模型的名称：名称有一个或两个部分，例如 org/name</translation>
    </message>
    <message>
        <source>Looking up %1 ...</source>
        <translation>正在查找 %1 ...</translation>
    </message>
    <message>
        <source>Asking %1 for %2 ...</source>
        <translation>正在向 %1 请求 %2 ...</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Inspector</name>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>First row</source>
        <translation>首行</translation>
    </message>
    <message>
        <source>Attention head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Change by layer</source>
        <translation>逐层变化</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Choose a tensor to see its values.</source>
        <translation>选择一个张量以查看其值。</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2 范数</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN, Inf</translation>
    </message>
    <message>
        <source>change, relative</source>
        <translation>相对变化</translation>
    </message>
    <message>
        <source>The row is the id of the token.</source>
        <translation>行号即 token 的编号。</translation>
    </message>
    <message>
        <source>head %1: norm %2, std %3</source>
        <translation>头 %1：范数 %2，标准差 %3</translation>
    </message>
    <message>
        <source>token %1: norm %2</source>
        <translation>token %1：范数 %2</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>world size</source>
        <translation>world size</translation>
    </message>
    <message>
        <source>mesh</source>
        <translation>设备网格</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>rank of the adapter</source>
        <translation>适配器的秩</translation>
    </message>
    <message>
        <source>alpha of the adapter</source>
        <translation>适配器的 alpha</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>optimizer groups</source>
        <translation>优化器参数组</translation>
    </message>
    <message>
        <source>random state</source>
        <translation>随机状态</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>保存时间</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::KeptMenu</name>
    <message>
        <source>Scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Keep as…</source>
        <translation>保存为…</translation>
    </message>
    <message>
        <source>Keep this scenario</source>
        <translation>保存此方案</translation>
    </message>
    <message>
        <source>Write recipe and settings…</source>
        <translation>写出配方和设置…</translation>
    </message>
    <message>
        <source>Folder for the recipe and its settings</source>
        <translation>存放配方及其设置的文件夹</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Compare with what is shown</source>
        <translation>与当前显示的比较</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Rename the scenario</source>
        <translation>重命名方案</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Name of the scenario</source>
        <translation>方案名称</translation>
    </message>
    <message>
        <source>Delete the scenario</source>
        <translation>删除方案</translation>
    </message>
    <message>
        <source>Delete the scenario %1?</source>
        <translation>删除方案 %1？</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Kept as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::KeptScenarios</name>
    <message>
        <source>Written: %1.</source>
        <translation>已写出：%1。</translation>
    </message>
    <message>
        <source>Neither of them can say: %1.</source>
        <translation>两个文件都无法表示：%1。</translation>
    </message>
    <message>
        <source>it holds no list of scenarios</source>
        <translation>其中没有方案列表</translation>
    </message>
    <message>
        <source>%1 is damaged and could not be put aside: %2</source>
        <translation>%1 已损坏，且无法移开：%2</translation>
    </message>
    <message>
        <source>The kept scenarios in %1 could not be read (%2): the file is kept as %3.</source>
        <translation>无法读取 %1 中保存的方案（%2）：该文件已保留为 %3。</translation>
    </message>
    <message numerus="yes">
        <source>%n of the kept scenarios in %1 cannot be read by this version and stay there as they are.</source>
        <translation>
            <numerusform>%1 中有 %n 个保存的方案无法被此版本读取，将原样保留。</numerusform>
        </translation>
    </message>
    <message>
        <source>Give the scenario a name.</source>
        <translation>请为方案命名。</translation>
    </message>
    <message>
        <source>There is a scenario %1 already: give another name.</source>
        <translation>已有名为 %1 的方案：请换一个名称。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::KeysDialog</name>
    <message>
        <source>SSH keys and agent</source>
        <translation>SSH 密钥与代理</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>已登录主机</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Asking the agent…</source>
        <translation>正在查询代理…</translation>
    </message>
    <message>
        <source>The agent answers at %1.</source>
        <translation>代理在 %1 响应。</translation>
    </message>
    <message>
        <source>No agent: %1. Key files work without one; an agent asks for each passphrase once.</source>
        <translation>没有代理：%1。密钥文件无需代理也可使用；使用代理时每个密码短语只需输入一次。</translation>
    </message>
    <message>
        <source>Passwords and passphrases are kept in the system&apos;s key ring, only where you tick it.</source>
        <translation>密码和密码短语保存在系统密钥环中，且仅限已勾选之处。</translation>
    </message>
    <message>
        <source>Passwords cannot be kept: %1.</source>
        <translation>无法保存密码：%1。</translation>
    </message>
    <message>
        <source>agent: %1</source>
        <translation>代理：%1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LaunchPage</name>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>立即启动</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>As soon as all pass</source>
        <translation>全部通过后立即启动</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>仍然启动</translation>
    </message>
    <message>
        <source>Run folder in %1</source>
        <translation>运行文件夹在 %1 中</translation>
    </message>
    <message>
        <source>Run folder on %1, with a copy here</source>
        <translation>运行文件夹在 %1 上，此处有副本</translation>
    </message>
    <message>
        <source>copying, %1 of %2</source>
        <translation>正在复制，%1 / %2</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>运行未启动</translation>
    </message>
    <message>
        <source>The engine is missing</source>
        <translation>缺少引擎</translation>
    </message>
    <message>
        <source>%1 is running on this machine</source>
        <translation>%1 正在本机上运行</translation>
    </message>
    <message>
        <source>Queue this run to start when that one ends, or start it now beside it.</source>
        <translation>可将此运行排队，待该运行结束后启动；也可现在与其同时启动。</translation>
    </message>
    <message>
        <source>Nothing was started, and nothing is left on any host.</source>
        <translation>没有启动任何内容，任何主机上也没有留下内容。</translation>
    </message>
    <message>
        <source>Nothing was started.</source>
        <translation>没有启动任何内容。</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Queue although checks failed: %1</source>
        <translation>检查失败仍然排队：%1</translation>
    </message>
    <message>
        <source>Start although checks failed: %1</source>
        <translation>检查失败仍然启动：%1</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Queue it</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Queue anyway</source>
        <translation>仍然排队</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>%1 of %2 checks done</source>
        <translation>已完成 %1 / %2 项检查</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 项失败</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 个警告</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 of %2 checks done, %3 failed</source>
        <translation>已完成 %1 / %2 项检查，%3 项失败</translation>
    </message>
    <message>
        <source>Choose the engine…</source>
        <translation>选择引擎…</translation>
    </message>
    <message>
        <source>Choose other data…</source>
        <translation>选择其他数据…</translation>
    </message>
    <message>
        <source>Halve the micro-batch and keep the tokens per step</source>
        <translation>将 micro-batch 减半并保持每步 token 数</translation>
    </message>
    <message>
        <source>Choose the script again…</source>
        <translation>重新选择脚本…</translation>
    </message>
    <message>
        <source>Choose another port…</source>
        <translation>选择其他端口…</translation>
    </message>
    <message>
        <source>Choose another folder for runs…</source>
        <translation>为运行选择其他文件夹…</translation>
    </message>
    <message>
        <source>Open %1 in Hosts</source>
        <translation>在“主机”中打开 %1</translation>
    </message>
    <message>
        <source>Retry until it passes, then start</source>
        <translation>重试直到通过，然后启动</translation>
    </message>
    <message>
        <source>Leave %1 out: 1 rank</source>
        <translation>不使用 %1：1 个 rank</translation>
    </message>
    <message>
        <source>Leave %1 out: %2 ranks</source>
        <translation>不使用 %1：%2 个 rank</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Select a check to read about it.</source>
        <translation>选择一项检查以查看其说明。</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Runs the failed checks again (R)</source>
        <translation>重新运行失败的检查 (R)</translation>
    </message>
    <message>
        <source>Cancels and leaves nothing behind on any host (Esc)</source>
        <translation>取消，且不在任何主机上留下内容 (Esc)</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Start now, or wait for its turn</source>
        <translation>立即启动，或等待轮到它</translation>
    </message>
    <message>
        <source>Waits until the runs queued before it have started, and the machine, or the GPUs, are free</source>
        <translation>等待排在前面的运行启动，且机器或 GPU 空闲</translation>
    </message>
    <message>
        <source>Run the failed checks again</source>
        <translation>重新运行失败的检查</translation>
    </message>
    <message>
        <source>Every check is a plain command; its outcome is kept with the run.</source>
        <translation>每项检查都是一条普通命令；其结果与运行一同保存。</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>After start</source>
        <translation>启动之后</translation>
    </message>
    <message>
        <source>Its dashboard opens</source>
        <translation>打开其仪表板</translation>
    </message>
    <message>
        <source>Goes on when this window is closed</source>
        <translation>关闭此窗口后继续</translation>
    </message>
    <message>
        <source>Notify me when it ends, fails or stalls</source>
        <translation>结束、失败或停滞时通知我</translation>
    </message>
    <message>
        <source>What you can do</source>
        <translation>可采取的措施</translation>
    </message>
    <message>
        <source>The launch was cancelled</source>
        <translation>启动已取消</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LayerGrid</name>
    <message>
        <source>Change of %1 kinds of tensors in %2 layers</source>
        <translation>%2 层中 %1 类张量的变化</translation>
    </message>
    <message>
        <source>layer %1, %2: %3 %</source>
        <translation>第 %1 层，%2：%3 %</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LinksMatrix</name>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 到 %2：%3</translation>
    </message>
    <message>
        <source>Links between GPUs</source>
        <translation>GPU 之间的链路</translation>
    </message>
    <message>
        <source>GPU %1 to GPU %2: %3</source>
        <translation>GPU %1 到 GPU %2：%3</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LiveRow</name>
    <message>
        <source>queued, %1</source>
        <translation>排队中，%1</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>立即启动</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>从队列中移除</translation>
    </message>
    <message>
        <source>Stop after a checkpoint</source>
        <translation>保存 checkpoint 后停止</translation>
    </message>
    <message>
        <source>Checkpoint now</source>
        <translation>立即保存 checkpoint</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogList</name>
    <message>
        <source>Filter logs: words or /regex/</source>
        <translation>筛选日志：词语或 /正则表达式/</translation>
    </message>
    <message>
        <source>Filter logs</source>
        <translation>筛选日志</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show or hide all that pass the filter</source>
        <translation>显示或隐藏所有符合筛选条件的日志</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogListModel</name>
    <message>
        <source>The figure is the last value of %1.</source>
        <translation>该数字为 %1 的最新值。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogPage</name>
    <message>
        <source>Compare the key…</source>
        <translation>比较密钥…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>one log</source>
        <translation>一个日志</translation>
    </message>
    <message>
        <source>%1 logs</source>
        <translation>%1 个日志</translation>
    </message>
    <message>
        <source>reading %1 of %2</source>
        <translation>正在读取 %1 / %2</translation>
    </message>
    <message>
        <source>looking for logs</source>
        <translation>正在查找日志</translation>
    </message>
    <message>
        <source>Looking for logs in %1</source>
        <translation>正在 %1 中查找日志</translation>
    </message>
    <message>
        <source>No data from %1 yet.</source>
        <translation>尚无来自 %1 的数据。</translation>
    </message>
    <message>
        <source>No logs in %1 yet.</source>
        <translation>%1 中尚无日志。</translation>
    </message>
    <message>
        <source>TensorBoard files, JSONL and CSV with a column of steps, trainer_state.json of transformers and runs of Weights &amp; Biases offline appear here as soon as somebody writes them.</source>
        <translation>TensorBoard 文件、带有步数列的 JSONL 和 CSV、transformers 的 trainer_state.json 以及离线的 Weights &amp; Biases 运行，一经写入即会显示在此处。</translation>
    </message>
    <message>
        <source>No log is ticked.</source>
        <translation>未勾选任何日志。</translation>
    </message>
    <message>
        <source>Tick one at the left to see its curves.</source>
        <translation>在左侧勾选一个日志即可查看其曲线。</translation>
    </message>
    <message>
        <source>The selected logs have no curves yet.</source>
        <translation>所选日志尚无曲线。</translation>
    </message>
    <message>
        <source>Part of the logs cannot be read</source>
        <translation>部分日志无法读取</translation>
    </message>
    <message>
        <source>%1 parts of the logs cannot be read</source>
        <translation>日志中有 %1 处无法读取</translation>
    </message>
    <message>
        <source>%1 needs an answer from you</source>
        <translation>%1 需要回应</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 没有响应</translation>
    </message>
    <message>
        <source>%1 is shown only in part</source>
        <translation>%1 仅部分显示</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>The selected logs have no curves that can be read.</source>
        <translation>所选日志中没有可读取的曲线。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Previous (Shift+F3)</source>
        <translation>上一个 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next (F3)</source>
        <translation>下一个 (F3)</translation>
    </message>
    <message>
        <source>Show nothing else</source>
        <translation>仅显示匹配行</translation>
    </message>
    <message>
        <source>Lines shown</source>
        <translation>显示的行</translation>
    </message>
    <message>
        <source>Ranks whose logs are shown</source>
        <translation>显示哪些 rank 的日志</translation>
    </message>
    <message>
        <source>One rank, or several: 0, 3-5</source>
        <translation>一个或多个 rank：0, 3-5</translation>
    </message>
    <message>
        <source>Find, or /regex/</source>
        <translation>查找，或 /正则表达式/</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>The whole line</source>
        <translation>整行</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Rank 0</source>
        <translation>rank 0</translation>
    </message>
    <message>
        <source>wrong expression</source>
        <translation>表达式有误</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>The expression takes too long on %1 lines; they count as not found.</source>
        <translation>该表达式在 %1 行上耗时过长；这些行按未找到处理。</translation>
    </message>
    <message>
        <source>Show in the charts</source>
        <translation>在图表中显示</translation>
    </message>
    <message>
        <source>Show the whole line</source>
        <translation>显示整行</translation>
    </message>
    <message>
        <source>Save these lines…</source>
        <translation>保存这些行…</translation>
    </message>
    <message>
        <source>Save the lines that are shown</source>
        <translation>保存所显示的行</translation>
    </message>
    <message>
        <source>saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 lines</source>
        <translation>%1 / %2 行</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogTree</name>
    <message>
        <source>%1 is not there</source>
        <translation>%1 不存在</translation>
    </message>
    <message>
        <source>%1 is one of the files of a log: open its folder</source>
        <translation>%1 是日志的文件之一：请打开其文件夹</translation>
    </message>
    <message>
        <source>%1 holds no metrics that can be read: a step, an epoch or a time beside numbers</source>
        <translation>%1 中没有可读取的指标：数值旁须有步、epoch 或时间</translation>
    </message>
    <message>
        <source>Only the first %L1 folders below %2 are looked at</source>
        <translation>仅查看 %2 下的前 %L1 个文件夹</translation>
    </message>
    <message>
        <source>Folders more than %1 levels below %2 are not looked at</source>
        <translation>不查看 %2 下超过 %1 层的文件夹</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Only the first %L1 logs below %2 are shown</source>
        <translation>仅显示 %2 下的前 %L1 个日志</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LossPanel</name>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Lin</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Overlay another run</source>
        <translation>叠加其他运行</translation>
    </message>
    <message>
        <source>Overlay other runs, or show the difference to them (O)</source>
        <translation>叠加其他运行，或显示与它们的差值 (O)</translation>
    </message>
    <message>
        <source>Smoothing weight</source>
        <translation>平滑权重</translation>
    </message>
    <message>
        <source>Exponential moving average, as TensorBoard draws it. S switches it off and on.</source>
        <translation>指数移动平均，与 TensorBoard 的画法相同。按 S 可开关。</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>val</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>train − %1</source>
        <translation>训练 − %1</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>有效</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>自开始以来的时间</translation>
    </message>
    <message>
        <source>Time since the start without pauses and restarts; again: with them</source>
        <translation>自开始以来的时间，不含暂停和重启；再次单击：包含</translation>
    </message>
    <message>
        <source>Time since the start; again: without pauses and restarts</source>
        <translation>自开始以来的时间；再次单击：不含暂停和重启</translation>
    </message>
    <message>
        <source>There is no other run in this folder</source>
        <translation>此文件夹中没有其他运行</translation>
    </message>
    <message>
        <source>Aligned at resume</source>
        <translation>在恢复处对齐</translation>
    </message>
    <message>
        <source>Shifts the other run so that the step this run was resumed from coincides in both, or else their first points. When off, runs are aligned by step, time or tokens, whichever the axis shows.</source>
        <translation>平移另一个运行，使两者在此运行恢复时的那一步重合，否则使两者的起点重合。关闭时，运行按横轴所显示的步、时间或 token 对齐。</translation>
    </message>
    <message>
        <source>Differences: A − B</source>
        <translation>差值：A − B</translation>
    </message>
    <message>
        <source>This run minus each other run, at the steps both have</source>
        <translation>此运行减去其他每个运行，在两者共有的步上</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MainWindow</name>
    <message>
        <source>The run starts ahead of the queue.</source>
        <translation>此运行将先于队列启动。</translation>
    </message>
    <message>
        <source>The run was removed from the queue.</source>
        <translation>已从队列中移除此运行。</translation>
    </message>
    <message>
        <source>The run will stop after a checkpoint.</source>
        <translation>此运行将在保存 checkpoint 后停止。</translation>
    </message>
    <message>
        <source>A checkpoint was requested.</source>
        <translation>已请求保存 checkpoint。</translation>
    </message>
    <message>
        <source>Settings were reset</source>
        <translation>设置已重置</translation>
    </message>
    <message>
        <source>A view was reset</source>
        <translation>视图已重置</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MeasuredTable</name>
    <message>
        <source>%1: %2 estimated, %3 measured</source>
        <translation>%1：估计 %2，实测 %3</translation>
    </message>
    <message>
        <source>activations and temporary: %1 estimated, %2 measured</source>
        <translation>激活和临时：估计 %1，实测 %2</translation>
    </message>
    <message>
        <source>Estimate against measured</source>
        <translation>估计与实测对比</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>When a run has ended, what its ranks used is shown here beside its estimate.</source>
        <translation>运行结束后，此处会在其估计值旁显示各 rank 的实际用量。</translation>
    </message>
    <message numerus="yes">
        <source>Mean error %1 % over %n runs; the median run used %2 of its estimate.</source>
        <translation>
            <numerusform>%n 个运行的平均误差为 %1 %；居中的运行使用了其估计值的 %2。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MediaCard</name>
    <message>
        <source>Histograms</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 of %2 steps · %3</source>
        <translation>%1 / %2 步 · %3</translation>
    </message>
    <message>
        <source>As histograms</source>
        <translation>显示为直方图</translation>
    </message>
    <message>
        <source>As distribution</source>
        <translation>显示为分布</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MetricDots</name>
    <message>
        <source>No metric was written down.</source>
        <translation>没有记录指标。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MetricTile</name>
    <message>
        <source>Click to open the chart; right-click to choose another figure</source>
        <translation>单击打开图表；右键单击选择其他数值</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ModelPage</name>
    <message>
        <source>Which model?</source>
        <translation>使用哪个模型？</translation>
    </message>
    <message>
        <source>Any of the families, from random weights or from files of transformers.</source>
        <translation>任一系列，从随机权重或从 transformers 的文件开始。</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>parameters; sets the numbers below</source>
        <translation>参数量；决定下面的数值</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::NamedLayouts</name>
    <message>
        <source>Keep this layout</source>
        <translation>保存此布局</translation>
    </message>
    <message>
        <source>Name of the layout</source>
        <translation>布局的名称</translation>
    </message>
    <message>
        <source>Keep this layout as…</source>
        <translation>将此布局另存为…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::NotificationsPage</name>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Runs that ended, and alarms</source>
        <translation>已结束的运行以及告警</translation>
    </message>
    <message>
        <source>No notifications</source>
        <translation>没有通知</translation>
    </message>
    <message>
        <source>Runs that finish, fail or are lost, and alarms of live runs, are listed here.</source>
        <translation>完成、失败或失联的运行，以及进行中运行的告警，会列在此处。</translation>
    </message>
    <message>
        <source>step %1, train loss %2</source>
        <translation>第 %1 步，训练损失 %2</translation>
    </message>
    <message>
        <source>, validation %1</source>
        <translation>，验证 %1</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
    <message numerus="yes">
        <source>The newest %1 are shown; %Ln older notifications were dropped.</source>
        <translation>
            <numerusform>显示最新的 %1 条；已丢弃 %Ln 条较早的通知。</numerusform>
        </translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Open run %1</source>
        <translation>打开运行 %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::OpenedTrace</name>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message numerus="yes">
        <source>%n slices</source>
        <translation>
            <numerusform>%n 个切片</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 overlapping</source>
        <translation>%1 个重叠</translation>
    </message>
    <message>
        <source>%1 at most</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4, %5 after the begin</source>
        <translation>%1，%2，%3，%4，开始后 %5</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Opener</name>
    <message>
        <source>Open settings, a recipe, a log, or a file of a run folder</source>
        <translation>打开设置、配方、日志或运行文件夹中的文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Settings, recipes, runs (*.yaml *.yml *.json)</source>
        <translation>设置、配方、运行 (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>Profiler traces (*.json *.json.gz *.json.zst)</source>
        <translation>性能分析器 trace (*.json *.json.gz *.json.zst)</translation>
    </message>
    <message>
        <source>Logs (*tfevents* *.jsonl *.csv *.wandb trainer_state.json)</source>
        <translation>日志 (*tfevents* *.jsonl *.csv *.wandb trainer_state.json)</translation>
    </message>
    <message>
        <source>Open a run, or a folder of TensorBoard logs</source>
        <translation>打开运行或 TensorBoard 日志文件夹</translation>
    </message>
    <message>
        <source>Logs of another machine</source>
        <translation>其他机器上的日志</translation>
    </message>
    <message>
        <source>Host and folder, as in gpu-a:runs/today or sftp://gpu-a/data/runs.
The host is one of Hosts, or of ~/.ssh/config.</source>
        <translation>主机和文件夹，例如 gpu-a:runs/today 或 sftp://gpu-a/data/runs。
主机须来自“主机”列表或 ~/.ssh/config。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Overlays</name>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PageList</name>
    <message>
        <source>SKIPPED</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Show all pages</source>
        <translation>显示所有页面</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Hide unneeded</source>
        <translation>隐藏不需要的</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PanelBar</name>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>坐标轴</translation>
    </message>
    <message>
        <source>S</source>
        <translation>小</translation>
    </message>
    <message>
        <source>M</source>
        <translation>中</translation>
    </message>
    <message>
        <source>L</source>
        <translation>大</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Show or hide the tags (T)</source>
        <translation>显示或隐藏标签 (T)</translation>
    </message>
    <message>
        <source>Show or hide the tags</source>
        <translation>显示或隐藏标签</translation>
    </message>
    <message>
        <source>Search tags: words or /regex/</source>
        <translation>搜索标签：词语或 /正则表达式/</translation>
    </message>
    <message>
        <source>Search tags</source>
        <translation>搜索标签</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>自开始以来的时间</translation>
    </message>
    <message>
        <source>Date and time</source>
        <translation>日期和时间</translation>
    </message>
    <message>
        <source>Smoothing weight</source>
        <translation>平滑权重</translation>
    </message>
    <message>
        <source>Exponential moving average, as TensorBoard draws it. S switches it off and on.</source>
        <translation>指数移动平均，与 TensorBoard 的画法相同。按 S 可开关。</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>对数横轴</translation>
    </message>
    <message>
        <source>Leave outliers out</source>
        <translation>忽略离群值</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Size of the charts</source>
        <translation>图表大小</translation>
    </message>
    <message>
        <source>Small charts</source>
        <translation>小图表</translation>
    </message>
    <message>
        <source>Medium charts</source>
        <translation>中等图表</translation>
    </message>
    <message>
        <source>Large charts</source>
        <translation>大图表</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>log y</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>clipped</source>
        <translation>已截去离群值</translation>
    </message>
    <message>
        <source>Axes: %1</source>
        <translation>坐标轴：%1</translation>
    </message>
    <message>
        <source>Hide the tags</source>
        <translation>隐藏标签</translation>
    </message>
    <message>
        <source>Show the tags</source>
        <translation>显示标签</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tags</source>
        <translation>
            <numerusform>%Ln 个标签</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PanelCard</name>
    <message>
        <source>Star</source>
        <translation>加星标</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Remove the star</source>
        <translation>移除星标</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>固定到顶部</translation>
    </message>
    <message>
        <source>Back to all (Esc)</source>
        <translation>返回全部 (Esc)</translation>
    </message>
    <message>
        <source>Back to all</source>
        <translation>返回全部</translation>
    </message>
    <message>
        <source>Add a star</source>
        <translation>添加星标</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>移出</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>复制名称</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ParallelismPage</name>
    <message>
        <source>Replicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>DDP: the whole model on every device, gradients averaged</source>
        <translation>DDP：每个设备上都有完整模型，梯度取平均</translation>
    </message>
    <message>
        <source>Shard</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>FSDP: all state split over the ranks</source>
        <translation>FSDP：所有状态拆分到各 rank</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s names, stage 0 to 3, offload to CPU or NVMe</source>
        <translation>DeepSpeed 的名称，stage 0 到 3，可卸载到 CPU 或 NVMe</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>设备网格</translation>
    </message>
    <message>
        <source>FSDP 2 with tensor and context parallelism</source>
        <translation>FSDP 2，结合张量并行和上下文并行</translation>
    </message>
    <message>
        <source>Train data-parallel</source>
        <translation>数据并行训练</translation>
    </message>
    <message>
        <source>Use my script</source>
        <translation>使用自有脚本</translation>
    </message>
    <message>
        <source>More ways</source>
        <translation>更多方式</translation>
    </message>
    <message>
        <source>Megatron-LM</source>
        <translation>Megatron-LM</translation>
    </message>
    <message>
        <source>tensor and pipeline parallelism of scripts written for it</source>
        <translation>为其编写的脚本的张量并行和流水线并行</translation>
    </message>
    <message>
        <source>Parallelism of %1 ranks</source>
        <translation>%1 个 rank 的并行</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Nothing is written until you launch or save.</source>
        <translation>启动或保存之前不会写入任何内容。</translation>
    </message>
    <message>
        <source>The engine does not train this layout</source>
        <translation>引擎不支持以此布局训练</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ParametersCard</name>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%1 / %2 项有差异</translation>
    </message>
    <message>
        <source>Copy as a table</source>
        <translation>复制为表格</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ParametersModel</name>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PeaksPanel</name>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>The measured peaks are forgotten; the next run measures before its first step</source>
        <translation>清除已测得的峰值；下一个运行会在第一步之前重新测量</translation>
    </message>
    <message>
        <source>%1FLOP/s, measured %2 (%3)</source>
        <translation>%1FLOP/s，测量于 %2（%3）</translation>
    </message>
    <message>
        <source>The next run measures it before its first step.</source>
        <translation>下一个运行会在第一步之前测量。</translation>
    </message>
    <message>
        <source>Not measured yet: the first run does it before its first step.</source>
        <translation>尚未测量：首个运行会在第一步之前进行测量。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PlaceBar</name>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>of one host</source>
        <translation>每台主机</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Preferences</name>
    <message>
        <source>%1 could not be read. Defaults are used, and the file was kept as %2.</source>
        <translation>无法读取 %1。已使用默认值，原文件保留为 %2。</translation>
    </message>
    <message>
        <source>%1: there is no language “%2” (appearance/language), so the system&apos;s is used. Choose one under Settings.</source>
        <translation>%1：没有语言“%2”（appearance/language），因此使用系统语言。请在设置中选择。</translation>
    </message>
    <message>
        <source>%1: %2 is no size of text (appearance/size), so 100 is used. Write one of %3.</source>
        <translation>%1：%2 不是有效的文字大小（appearance/size），因此使用 100。请填写 %3 之一。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PresetsMenu</name>
    <message>
        <source>Launch command</source>
        <translation>launch 命令</translation>
    </message>
    <message>
        <source>torchrun command</source>
        <translation>torchrun 命令</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <source>DeepSpeed JSON</source>
        <translation>DeepSpeed JSON</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>From the clipboard</source>
        <translation>来自剪贴板</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>An accelerate or torchrun command, a settings file or a DeepSpeed JSON</source>
        <translation>accelerate 或 torchrun 命令、设置文件或 DeepSpeed JSON</translation>
    </message>
    <message>
        <source>Keep the settings as they are now</source>
        <translation>将当前设置保存为预设</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the new preset</source>
        <translation>新预设的名称</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Keys that the preset sets</source>
        <translation>预设所设置的键</translation>
    </message>
    <message>
        <source>CLIPBOARD</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>BUILT IN</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>YOUR OWN</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Keys that change: %1</source>
        <translation>将更改的键：%1</translation>
    </message>
    <message>
        <source>These settings are already in effect</source>
        <translation>这些设置已生效</translation>
    </message>
    <message>
        <source>from the clipboard</source>
        <translation>来自剪贴板</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>用于 %1</translation>
    </message>
    <message>
        <source>Give the preset a name first.</source>
        <translation>请先为预设命名。</translation>
    </message>
    <message>
        <source>Kept as “%1”.</source>
        <translation>已保存为“%1”。</translation>
    </message>
    <message>
        <source>Delete “%1”</source>
        <translation>删除“%1”</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ProfileDialog</name>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Which of the next steps are recorded</source>
        <translation>记录后续的哪些步</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>steps in a row</source>
        <translation>连续的步数</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>steps before them: the start of the profiler is not part of the picture</source>
        <translation>其前的步数：不含 profiler 的启动</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>steps before each recording</source>
        <translation>每次记录前的步数</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>记录次数</translation>
    </message>
    <message>
        <source>each with its own files</source>
        <translation>各有自己的文件</translation>
    </message>
    <message>
        <source>Skip first</source>
        <translation>跳过开头</translation>
    </message>
    <message>
        <source>steps, once</source>
        <translation>步，一次</translation>
    </message>
    <message>
        <source>Shapes and types of inputs</source>
        <translation>输入的形状和类型</translation>
    </message>
    <message>
        <source>Of every operator. Steps take longer, files are larger.</source>
        <translation>每个算子。步耗时更长，文件更大。</translation>
    </message>
    <message>
        <source>Every allocation of memory</source>
        <translation>每次内存分配</translation>
    </message>
    <message>
        <source>The trace shows memory as a curve. Steps take longer, files are larger.</source>
        <translation>trace 以曲线显示内存。步耗时更长，文件更大。</translation>
    </message>
    <message>
        <source>FLOPs of matrix products and convolutions</source>
        <translation>矩阵乘法和卷积的 FLOPs</translation>
    </message>
    <message>
        <source>By formula, from the shapes, which are recorded, too.</source>
        <translation>按公式由形状计算，形状也会被记录。</translation>
    </message>
    <message>
        <source>About step %1 is recorded.</source>
        <translation>约在第 %1 步记录。</translation>
    </message>
    <message>
        <source>About steps %1 to %2 are recorded.</source>
        <translation>约记录第 %1 到 %2 步。</translation>
    </message>
    <message numerus="yes">
        <source>Then again every %Ln steps, %1 times in all.</source>
        <translation>
            <numerusform>之后每 %Ln 步再次记录，共 %1 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>Every rank writes a Chrome trace: operators, kernels of its GPU, phases, units and collectives. Steps take longer meanwhile.</source>
        <translation>每个 rank 都会写出 Chrome trace：算子、其 GPU 的 kernel、阶段、单元和集合通信。在此期间每步耗时会变长。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>· paused, %1 left when it continues</source>
        <translation>· 已暂停，继续后还需 %1</translation>
    </message>
    <message>
        <source>· paused</source>
        <translation>· 已暂停</translation>
    </message>
    <message>
        <source>· %1 left · ends %2</source>
        <translation>· 剩余 %1 · 结束于 %2</translation>
    </message>
    <message>
        <source>· time left is known after 20 steps</source>
        <translation>· 20 步之后可知剩余时间</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PromptProcess</name>
    <message>
        <source>%1 could not be started: build or install it</source>
        <translation>无法启动 %1：请构建或安装它</translation>
    </message>
    <message>
        <source>The process that computes the text was ended from outside; too little memory may be the reason</source>
        <translation>计算文本的进程被外部终止；可能是内存不足所致</translation>
    </message>
    <message>
        <source>The process that computes the text has ended without a message</source>
        <translation>计算文本的进程已结束，没有给出消息</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::QuestionPage</name>
    <message>
        <source>Where does it run?</source>
        <translation>在哪里运行？</translation>
    </message>
    <message>
        <source>Filled in from what this machine has.</source>
        <translation>已按本机配置填写。</translation>
    </message>
    <message>
        <source>Number format and compilation</source>
        <translation>数值格式与编译</translation>
    </message>
    <message>
        <source>A lower precision needs less memory. It is faster only on devices that compute in it.</source>
        <translation>较低的精度所需内存更少。只有在支持以该精度计算的设备上才会更快。</translation>
    </message>
    <message>
        <source>Which cloud?</source>
        <translation>使用哪个云？</translation>
    </message>
    <message>
        <source>What the jobs of Amazon SageMaker or a TPU pod need.</source>
        <translation>Amazon SageMaker 作业或 TPU pod 所需的设置。</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose a file for %1</source>
        <translation>为 %1 选择文件</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Rail</name>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>Search or command</source>
        <translation>搜索或命令</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Collapse the sidebar (Ctrl+B)</source>
        <translation>折叠侧边栏 (Ctrl+B)</translation>
    </message>
    <message>
        <source>Collapse the sidebar</source>
        <translation>折叠侧边栏</translation>
    </message>
    <message>
        <source>New run (Ctrl+N)</source>
        <translation>新建运行 (Ctrl+N)</translation>
    </message>
    <message>
        <source>Search or command (Ctrl+K)</source>
        <translation>搜索或命令 (Ctrl+K)</translation>
    </message>
    <message>
        <source>Expand the sidebar (Ctrl+B)</source>
        <translation>展开侧边栏 (Ctrl+B)</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RankBars</name>
    <message>
        <source>Memory per rank</source>
        <translation>每个 rank 的内存</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>stage %1, %2</source>
        <translation>stage %1，%2</translation>
    </message>
    <message>
        <source>layers %1-%2</source>
        <translation>第 %1-%2 层</translation>
    </message>
    <message>
        <source>%1 for a rank</source>
        <translation>每个 rank %1</translation>
    </message>
    <message>
        <source>%1 usable (CUDA context taken off)</source>
        <translation>可用 %1（已扣除 CUDA 上下文）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RankPairDialog</name>
    <message>
        <source>Compare two ranks</source>
        <translation>比较两个 rank</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>To</source>
        <translation>与</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RanksModel</name>
    <message>
        <source>signal %1</source>
        <translation>信号 %1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>退出 %1</translation>
    </message>
    <message>
        <source>%1  ·  %2 of %3 running</source>
        <translation>%1  ·  %2 / %3 正在运行</translation>
    </message>
    <message>
        <source>%1  ·  lost</source>
        <translation>%1  ·  失联</translation>
    </message>
    <message>
        <source>%1  ·  silent for %2 s</source>
        <translation>%1  ·  %2 s 无响应</translation>
    </message>
    <message>
        <source>%1  ·  awaited</source>
        <translation>%1  ·  等待中</translation>
    </message>
    <message>
        <source>Rank %1 on %2, %3, process %4</source>
        <translation>rank %1，位于 %2，%3，进程 %4</translation>
    </message>
    <message>
        <source>last collective: %1</source>
        <translation>最后的集合操作：%1</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RanksPanel</name>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Enter shows the log of a rank</source>
        <translation>按 Enter 显示 rank 的日志</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 台主机</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ReachDialog</name>
    <message>
        <source>Ask again</source>
        <translation>重新查询</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Connections between hosts</source>
        <translation>主机之间的连接</translation>
    </message>
    <message>
        <source>Rows reach columns</source>
        <translation>行连接到列</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Each host opens a port for seconds, the others connect. Asking %1 hosts…</source>
        <translation>每台主机短暂打开一个端口，由其他主机连接。正在查询 %1 台主机…</translation>
    </message>
    <message>
        <source>That could not be determined.</source>
        <translation>无法确定。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 reaches %2 at %3, over %4</source>
        <translation>%1 可连接到 %2（%3），经由 %4</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>%1 does not reach %2: %3</source>
        <translation>%1 无法连接到 %2：%3</translation>
    </message>
    <message>
        <source>Every host reaches every other one.</source>
        <translation>每台主机都能连接到其他所有主机。</translation>
    </message>
    <message>
        <source>%1 of %2 connections work. A run needs all of them between its hosts: open the ports, or leave a host out.</source>
        <translation>%2 个连接中有 %1 个可用。运行需要其各主机之间的所有连接：请打开端口，或不使用某台主机。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ReadPanel</name>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>translated</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>repaired</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>What was read</source>
        <translation>读取的内容</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Copy what was read</source>
        <translation>复制读取的内容</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>与文件中相同</translation>
    </message>
    <message numerus="yes">
        <source>%n keys kept</source>
        <translation>
            <numerusform>已保留 %n 个键</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RecipePage</name>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Everything is kept in the folder of the run.</source>
        <translation>所有内容都保存在运行的文件夹中。</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>更多设置</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RemoteLogs</name>
    <message>
        <source>%1
What was copied so far is shown. Asked again in %2 s.</source>
        <translation>%1
已显示目前复制的内容。%2 s 后再次查询。</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>copying %1 %</source>
        <translation>正在复制 %1 %</translation>
    </message>
    <message>
        <source>following</source>
        <translation>正在跟随</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>needs an answer from you</source>
        <translation>需要回应</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ReviewPage</name>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Ready?</source>
        <translation>准备好了吗？</translation>
    </message>
    <message>
        <source>What was checked, and what will be written.</source>
        <translation>检查结果以及将写入的内容。</translation>
    </message>
    <message>
        <source>Problems and notes</source>
        <translation>问题和说明</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Changed in the file</source>
        <translation>文件中的更改</translation>
    </message>
    <message>
        <source>Changed lines</source>
        <translation>已更改的行</translation>
    </message>
    <message>
        <source>The same on the command line</source>
        <translation>等效的命令行</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>%1 keys, no contradiction</source>
        <translation>%1 个键，没有冲突</translation>
    </message>
    <message>
        <source>%1 to fix</source>
        <translation>%1 项待修正</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>the engine trains it</source>
        <translation>引擎支持训练</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>%1 parameters, %2 tokens a step</source>
        <translation>%1 个参数，每步 %2 个 token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>being looked at</source>
        <translation>正在查看</translation>
    </message>
    <message>
        <source>readable, and long enough</source>
        <translation>可读取，且长度足够</translation>
    </message>
    <message>
        <source>Go to field</source>
        <translation>转到字段</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>Train data-parallel</source>
        <translation>数据并行训练</translation>
    </message>
    <message>
        <source>Use my script</source>
        <translation>使用自有脚本</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>The run can be launched.</source>
        <translation>可以启动运行。</translation>
    </message>
    <message>
        <source>The file can be saved.</source>
        <translation>可以保存文件。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>No file is open. Everything is new.</source>
        <translation>没有打开的文件。所有内容都是新的。</translation>
    </message>
    <message>
        <source>No changes to %1.</source>
        <translation>%1 没有更改。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunActions</name>
    <message>
        <source>Rank 0 has not answered “%1” for 10 s</source>
        <translation>rank 0 已有 10 s 没有响应“%1”</translation>
    </message>
    <message>
        <source>Requests are handled between two steps. “Kill now” takes effect at once.</source>
        <translation>请求会在两步之间处理。“立即强制终止”会马上生效。</translation>
    </message>
    <message>
        <source>“%1” was not done</source>
        <translation>“%1”未执行</translation>
    </message>
    <message>
        <source>Kill the run</source>
        <translation>强制终止运行</translation>
    </message>
    <message>
        <source>Kill %1 at step %2?</source>
        <translation>在第 %2 步强制终止 %1？</translation>
    </message>
    <message numerus="yes">
        <source>The last checkpoint is from step %1: %Ln steps will be lost.</source>
        <translation>
            <numerusform>最后一个 checkpoint 来自第 %1 步：将丢失 %Ln 步。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no checkpoint yet: all %Ln steps will be lost.</source>
        <translation>
            <numerusform>还没有 checkpoint：全部 %Ln 步都将丢失。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunDraft</name>
    <message>
        <source>Choose the script to start.</source>
        <translation>请选择要启动的脚本。</translation>
    </message>
    <message>
        <source>%1 is no name of a Python module: write it with dots, such as package.train, or choose Script.</source>
        <translation>%1 不是 Python 模块名：请用点号书写，例如 package.train，或选择“脚本”。</translation>
    </message>
    <message>
        <source>A quotation mark is not closed. Close it, or write three for a literal one.</source>
        <translation>有引号未闭合。请将其闭合；如需引号本身，请连写三个。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunEdits</name>
    <message>
        <source>Name reset</source>
        <translation>名称已重置</translation>
    </message>
    <message>
        <source>Renamed to %1</source>
        <translation>已重命名为 %1</translation>
    </message>
    <message>
        <source>Tags changed</source>
        <translation>标签已更改</translation>
    </message>
    <message>
        <source>Note changed</source>
        <translation>备注已更改</translation>
    </message>
    <message>
        <source>Colour changed</source>
        <translation>颜色已更改</translation>
    </message>
    <message numerus="yes">
        <source>%n archived</source>
        <translation>
            <numerusform>已归档 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unarchived</source>
        <translation>
            <numerusform>已取消归档 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is the baseline</source>
        <translation>%1 是基线</translation>
    </message>
    <message>
        <source>No baseline</source>
        <translation>无基线</translation>
    </message>
    <message>
        <source>%1 is number %2 in the queue</source>
        <translation>%1 在队列中排第 %2 位</translation>
    </message>
    <message>
        <source>%1 is running. Stop it before deleting it.</source>
        <translation>%1 正在运行。请先停止再删除。</translation>
    </message>
    <message>
        <source>1 run moved to the trash</source>
        <translation>已将 1 个运行移至回收站</translation>
    </message>
    <message>
        <source>%1 runs moved to the trash</source>
        <translation>已将 %1 个运行移至回收站</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunFilter</name>
    <message>
        <source>“%1” has no end: write %1/.</source>
        <translation>“%1”没有结尾：请写成 %1/。</translation>
    </message>
    <message>
        <source>“%1” is not an expression: %2.</source>
        <translation>“%1”不是正则表达式：%2。</translation>
    </message>
    <message>
        <source>“%1” is not a comparison: write %2&gt;%3.</source>
        <translation>“%1”不是比较式：请写成 %2&gt;%3。</translation>
    </message>
    <message>
        <source>“%1” has no unit: write %2&lt;7d (s, m, h or d).</source>
        <translation>“%1”没有单位：请写成 %2&lt;7d（s、m、h 或 d）。</translation>
    </message>
    <message>
        <source>“%1” needs a number: write %2%3%4.</source>
        <translation>“%1”需要一个数字：请写成 %2%3%4。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunHeader</name>
    <message>
        <source>Checkpoint now</source>
        <translation>立即保存 checkpoint</translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation>性能分析…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Records where the next steps spend their time (P)</source>
        <translation>记录接下来几步的时间花在何处 (P)</translation>
    </message>
    <message>
        <source>Pauses after the current step; memory and GPUs stay in use (H)</source>
        <translation>在当前步之后暂停；内存和 GPU 仍被占用 (H)</translation>
    </message>
    <message>
        <source>Saves a checkpoint after the current step (K)</source>
        <translation>在当前步之后保存 checkpoint (K)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Choose how to stop (X)</source>
        <translation>选择停止方式 (X)</translation>
    </message>
    <message>
        <source>Stop after a checkpoint</source>
        <translation>保存 checkpoint 后停止</translation>
    </message>
    <message>
        <source>Stop after this step, without a checkpoint</source>
        <translation>此步之后停止，不保存 checkpoint</translation>
    </message>
    <message>
        <source>Kill now…</source>
        <translation>立即强制终止…</translation>
    </message>
    <message>
        <source>Resume from the last checkpoint</source>
        <translation>从最后一个 checkpoint 恢复</translation>
    </message>
    <message>
        <source>Resume from another checkpoint</source>
        <translation>从其他 checkpoint 恢复</translation>
    </message>
    <message>
        <source>Resume elsewhere…</source>
        <translation>在别处恢复…</translation>
    </message>
    <message>
        <source>Run again from the start</source>
        <translation>从头重新运行</translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation>立即评估</translation>
    </message>
    <message>
        <source>Change the learning rate…</source>
        <translation>更改学习率…</translation>
    </message>
    <message>
        <source>All curves</source>
        <translation>所有曲线</translation>
    </message>
    <message>
        <source>Every curve, histogram and text of the run, or back to the overview (T)</source>
        <translation>此运行的所有曲线、直方图和文本，或返回概览 (T)</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Add a note…</source>
        <translation>添加备注…</translation>
    </message>
    <message>
        <source>Alarms of this run…</source>
        <translation>此运行的告警…</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>试用…</translation>
    </message>
    <message>
        <source>A prompt, and how its checkpoints continue it</source>
        <translation>输入提示词，查看其各 checkpoint 如何续写</translation>
    </message>
    <message>
        <source>Profiler traces</source>
        <translation>性能分析器 trace</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Checkpoint requested</source>
        <translation>已请求保存 checkpoint</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Profiling</source>
        <translation>正在分析性能</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>of the run before</source>
        <translation>来自上一个运行</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Resume from step %1 (its checkpoint is on %2)</source>
        <translation>从第 %1 步恢复（其 checkpoint 在 %2 上）</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>从第 %1 步恢复</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunPage</name>
    <message>
        <source>Dashboard</source>
        <translation>仪表板</translation>
    </message>
    <message>
        <source>Choose your data</source>
        <translation>选择数据</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Throughput, tok/s</source>
        <translation>吞吐量，tok/s</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>loss scale</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Part of the run cannot be read</source>
        <translation>运行的一部分无法读取</translation>
    </message>
    <message>
        <source>The sample run is complete</source>
        <translation>示例运行已完成</translation>
    </message>
    <message>
        <source>The same model can be trained on your own text: choose a file or a folder.</source>
        <translation>同一模型也可以用自己的文本训练：请选择文件或文件夹。</translation>
    </message>
    <message>
        <source>The run may still be going on there. What was received up to then is shown.</source>
        <translation>此运行可能仍在那里继续。显示的是此前收到的内容。</translation>
    </message>
    <message>
        <source>%1 silent since %2</source>
        <translation>%1 自 %2 起无响应</translation>
    </message>
    <message>
        <source>%1 has not answered yet</source>
        <translation>%1 尚未响应</translation>
    </message>
    <message>
        <source>The supervisor of this run has not been running since %1</source>
        <translation>此运行的监管进程自 %1 起已不再运行</translation>
    </message>
    <message>
        <source>It ran on %1. What it wrote is shown. Resume the run from its last checkpoint.</source>
        <translation>它曾在 %1 上运行。显示的是其写入的内容。请从最后一个 checkpoint 恢复此运行。</translation>
    </message>
    <message>
        <source>No heartbeat for %1. The run may still be going on there.</source>
        <translation>已有 %1 没有心跳。此运行可能仍在那里继续。</translation>
    </message>
    <message>
        <source>Checkpoint now</source>
        <translation>立即保存 checkpoint</translation>
    </message>
    <message>
        <source>Pause or continue</source>
        <translation>暂停或继续</translation>
    </message>
    <message>
        <source>Profile the next steps</source>
        <translation>对接下来的步做性能分析</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Add a note at the crosshair</source>
        <translation>在十字线处添加备注</translation>
    </message>
    <message>
        <source>All curves, or back to the overview</source>
        <translation>所有曲线，或返回概览</translation>
    </message>
    <message>
        <source>Overlay another run</source>
        <translation>叠加其他运行</translation>
    </message>
    <message>
        <source>Open the curve of a tile</source>
        <translation>打开磁贴的曲线</translation>
    </message>
    <message>
        <source>Previous or next event</source>
        <translation>上一个或下一个事件</translation>
    </message>
    <message>
        <source>Fit the curves to the chart</source>
        <translation>使曲线适合图表</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Show or hide the bands</source>
        <translation>显示或隐藏区间带</translation>
    </message>
    <message>
        <source>Move the crosshair of the chart</source>
        <translation>移动图表的十字线</translation>
    </message>
    <message>
        <source>Next zoom of the chart</source>
        <translation>图表的下一个缩放</translation>
    </message>
    <message>
        <source>Previous zoom of the chart</source>
        <translation>图表的上一个缩放</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Go to the log</source>
        <translation>转到日志</translation>
    </message>
    <message>
        <source>Keep the layout under a name</source>
        <translation>以名称保存布局</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunScanner</name>
    <message>
        <source>%1 is not there: it was moved or deleted, or its disk is not connected.</source>
        <translation>%1 不存在：已被移动或删除，或其磁盘未连接。</translation>
    </message>
    <message>
        <source>Rank %1 failed first</source>
        <translation>rank %1 最先失败</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1, at step %2.</source>
        <translation>%1，在第 %2 步。</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This run lost its place in the queue. Queue it again.</source>
        <translation>此运行失去了在队列中的位置。请重新排队。</translation>
    </message>
    <message>
        <source>The supervisor of this run ended without a message.</source>
        <translation>此运行的监管进程已结束，没有给出消息。</translation>
    </message>
    <message>
        <source>No contact with %1 since %2.</source>
        <translation>自 %2 起与 %1 失去联系。</translation>
    </message>
    <message>
        <source>No step for %1 s.</source>
        <translation>已有 %1 s 没有新步。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunStarter</name>
    <message>
        <source>The sample recipe was not found: set TRAINYARD_SAMPLE to a recipe, or install Trainyard again.</source>
        <translation>找不到示例配方：请将 TRAINYARD_SAMPLE 设为某个配方，或重新安装 Trainyard。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunsModel</name>
    <message>
        <source>%1, ticked for comparison</source>
        <translation>%1，已勾选以供比较</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Queued, number %1</source>
        <translation>排队中，第 %1 位</translation>
    </message>
    <message numerus="yes">
        <source>Stopping, %n left</source>
        <translation>
            <numerusform>正在停止，剩余 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Train loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Val</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>token/s</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1: click to sort, Shift+click to sort second</source>
        <translation>%1：单击排序，Shift+单击作为次要排序</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>azure</source>
        <translation>天蓝</translation>
    </message>
    <message>
        <source>orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>mint</source>
        <translation>薄荷绿</translation>
    </message>
    <message>
        <source>mauve</source>
        <translation>淡紫</translation>
    </message>
    <message>
        <source>straw</source>
        <translation>草黄</translation>
    </message>
    <message>
        <source>violet</source>
        <translation>紫罗兰</translation>
    </message>
    <message>
        <source>ice</source>
        <translation>冰蓝</translation>
    </message>
    <message>
        <source>raspberry</source>
        <translation>树莓红</translation>
    </message>
    <message>
        <source>olive</source>
        <translation>橄榄绿</translation>
    </message>
    <message>
        <source>mist</source>
        <translation>雾灰</translation>
    </message>
    <message>
        <source>Tick for comparison</source>
        <translation>勾选以供比较</translation>
    </message>
    <message>
        <source>Compare the ticked runs</source>
        <translation>比较已勾选的运行</translation>
    </message>
    <message>
        <source>Untick all runs</source>
        <translation>取消勾选所有运行</translation>
    </message>
    <message>
        <source>Rename the run</source>
        <translation>重命名运行</translation>
    </message>
    <message>
        <source>Tags of the run…</source>
        <translation>运行的标签…</translation>
    </message>
    <message>
        <source>Note on the run…</source>
        <translation>运行的备注…</translation>
    </message>
    <message>
        <source>Archive or unarchive the run</source>
        <translation>归档或取消归档运行</translation>
    </message>
    <message>
        <source>Baseline: compare others with this run</source>
        <translation>基线：将其他运行与此运行比较</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Delete the run</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Earlier in the queue</source>
        <translation>在队列中前移</translation>
    </message>
    <message>
        <source>Later in the queue</source>
        <translation>在队列中后移</translation>
    </message>
    <message>
        <source>Undo the last change to runs</source>
        <translation>撤消对运行的上次更改</translation>
    </message>
    <message>
        <source>Redo the last undone change</source>
        <translation>重做上次撤消的更改</translation>
    </message>
    <message>
        <source>Columns of the run list…</source>
        <translation>运行列表的列…</translation>
    </message>
    <message>
        <source>Save the list as a table…</source>
        <translation>将列表保存为表格…</translation>
    </message>
    <message>
        <source>Watch a folder of runs…</source>
        <translation>监视运行文件夹…</translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation>保存此筛选器…</translation>
    </message>
    <message>
        <source>Tags of %1</source>
        <translation>%1 的标签</translation>
    </message>
    <message numerus="yes">
        <source>Tags of %n runs</source>
        <translation>
            <numerusform>%n 个运行的标签</numerusform>
        </translation>
    </message>
    <message>
        <source>Separate tags with spaces</source>
        <translation>用空格分隔标签</translation>
    </message>
    <message>
        <source>+tag adds a tag to all of them, -tag removes it</source>
        <translation>+标签 为所有运行添加标签，-标签 将其移除</translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation>%1 的备注</translation>
    </message>
    <message>
        <source>Name of the filter</source>
        <translation>筛选器的名称</translation>
    </message>
    <message>
        <source>A folder that contains run folders</source>
        <translation>包含运行文件夹的文件夹</translation>
    </message>
    <message>
        <source>Delete the filter %1</source>
        <translation>删除筛选器 %1</translation>
    </message>
    <message>
        <source>Stop watching %1</source>
        <translation>停止监视 %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤消</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>By itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Open dashboard</source>
        <translation>打开仪表板</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>立即启动</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>从队列中移除</translation>
    </message>
    <message>
        <source>Queue again</source>
        <translation>重新排队</translation>
    </message>
    <message>
        <source>Checkpoint now</source>
        <translation>立即保存 checkpoint</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop after a checkpoint</source>
        <translation>保存 checkpoint 后停止</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>标签…</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Colour…</source>
        <translation>颜色…</translation>
    </message>
    <message>
        <source>Stop using as baseline</source>
        <translation>不再用作基线</translation>
    </message>
    <message>
        <source>Baseline for comparisons</source>
        <translation>用作比较基线</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Stop the run first.</source>
        <translation>请先停止此运行。</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>定位…</translation>
    </message>
    <message>
        <source>Where is %1 now?</source>
        <translation>%1 现在在哪里？</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>已保存到 %1。</translation>
    </message>
    <message>
        <source>Save the list</source>
        <translation>保存列表</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Filter   tag:lr-sweep  lr&gt;1e-4  host:gpu-a</source>
        <translation>筛选   tag:lr-sweep  lr&gt;1e-4  host:gpu-a</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>More for the list of runs</source>
        <translation>运行列表的更多操作</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Trash %1</source>
        <translation>回收站 %1</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 个运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个运行</translation>
    </message>
    <message>
        <source>%1 live</source>
        <translation>%1 个进行中</translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 ticked runs lie inside the ranges of the sweep.</source>
        <translation>
            <numerusform>%1 个已勾选的运行中有 %n 个在扫描范围内。</numerusform>
        </translation>
    </message>
    <message>
        <source>No run matches. Clear the filter or choose All.</source>
        <translation>没有匹配的运行。请清除筛选器或选择“全部”。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SamplesPanel</name>
    <message>
        <source>Samples</source>
        <translation>样例文本</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts of the recipe, in their order</source>
        <translation>配方中的提示词，按其顺序</translation>
    </message>
    <message>
        <source>What the model wrote</source>
        <translation>模型写出的内容</translation>
    </message>
    <message>
        <source>Step of the text</source>
        <translation>文本所在的步</translation>
    </message>
    <message>
        <source>Prompt %1</source>
        <translation>提示词 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 · cut</source>
        <translation>%1 · 已截断</translation>
    </message>
    <message>
        <source>The text is longer than what is kept of it.</source>
        <translation>文本比保留的部分更长。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SamplingBar</name>
    <message>
        <source>Greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Beams</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>下一个 token</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>新 token 数</translation>
    </message>
    <message>
        <source>max_new_tokens: most tokens of an answer</source>
        <translation>max_new_tokens：回答的最大 token 数</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Below 1 likely tokens become more likely</source>
        <translation>小于 1 时，高概率 token 的概率更高</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Draws among so many of the most likely tokens; 0: all</source>
        <translation>从概率最高的这么多个 token 中采样；0：全部</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Draws among the most likely tokens that together have this probability</source>
        <translation>从累计概率达到此值的最可能 token 中采样</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The same seed draws the same text</source>
        <translation>相同的种子会采样出相同的文本</translation>
    </message>
    <message>
        <source>num_beams: texts that are continued side by side; the likeliest one is shown at the end</source>
        <translation>num_beams：同时续写的文本数；最后显示概率最高的一个</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>repetition_penalty: above 1 tokens that were there become less likely</source>
        <translation>repetition_penalty：大于 1 时，已出现过的 token 概率降低</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Scenario</name>
    <message>
        <source>the sizes multiply to %1 ranks, there are %2 devices</source>
        <translation>各项大小之积为 %1 个 rank，而设备有 %2 个</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ScriptPage</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Which script?</source>
        <translation>使用哪个脚本？</translation>
    </message>
    <message>
        <source>It is started once for each rank, with Accelerate&apos;s variables set.</source>
        <translation>每个 rank 启动一次，并设置 Accelerate 的变量。</translation>
    </message>
    <message>
        <source>Started as</source>
        <translation>启动方式</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>python FILE</source>
        <translation>python FILE</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>python -m MODULE</source>
        <translation>python -m MODULE</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>without Python</source>
        <translation>不使用 Python</translation>
    </message>
    <message>
        <source>the path as seen on every machine of the run</source>
        <translation>该路径在运行的每台机器上都须有效</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>as on a command line; quotation marks keep spaces together</source>
        <translation>与命令行相同；引号可保留其中的空格</translation>
    </message>
    <message>
        <source>Choose the script</source>
        <translation>选择脚本</translation>
    </message>
    <message>
        <source>The script to start</source>
        <translation>要启动的脚本</translation>
    </message>
    <message>
        <source>Python scripts (*.py);;All files (*)</source>
        <translation>Python 脚本 (*.py);;所有文件 (*)</translation>
    </message>
    <message>
        <source>with dots, as Python imports it: package.train</source>
        <translation>使用点号，与 Python 导入时相同：package.train</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SecretDialog</name>
    <message>
        <source>Keep it in the key ring</source>
        <translation>保存到密钥环</translation>
    </message>
    <message>
        <source>Passphrase of a key</source>
        <translation>密钥的密码短语</translation>
    </message>
    <message>
        <source>%1 opens %2 and is locked by a passphrase.</source>
        <translation>%1 用于打开 %2，并受密码短语保护。</translation>
    </message>
    <message>
        <source>Password for %1</source>
        <translation>%1 的密码</translation>
    </message>
    <message>
        <source>The account %1 on %2 asks for its password.</source>
        <translation>%2 上的账户 %1 要求输入密码。</translation>
    </message>
    <message>
        <source>%1 asks</source>
        <translation>%1 询问</translation>
    </message>
    <message>
        <source>Wrong password. Try again.</source>
        <translation>密码错误。请重试。</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SelectionPanel</name>
    <message>
        <source>Kernels</source>
        <translation>kernel</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选区</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Table of the selection</source>
        <translation>选区的表格</translation>
    </message>
    <message>
        <source>No work on a device in this range.</source>
        <translation>此范围内没有设备上的工作。</translation>
    </message>
    <message>
        <source>Nothing in this range.</source>
        <translation>此范围内没有内容。</translation>
    </message>
    <message>
        <source>The longest %1 of %2 slices.</source>
        <translation>%2 个切片中最长的 %1 个。</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Both took the same time everywhere.</source>
        <translation>两者各处耗时相同。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SettingsPage</name>
    <message>
        <source>in Settings</source>
        <translation>在“设置”中</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Folder for runs</source>
        <translation>运行的文件夹</translation>
    </message>
    <message>
        <source>set by the environment, so it cannot be changed here</source>
        <translation>由环境变量设置，因此无法在此处更改</translation>
    </message>
    <message>
        <source>runs in the old folder stay where they are</source>
        <translation>旧文件夹中的运行保持原位</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Peak of this machine</source>
        <translation>本机峰值</translation>
    </message>
    <message>
        <source>What its processor computes at most, as runs measured it; the share of the peak (MFU) is a share of this</source>
        <translation>由运行实测得到的处理器最大计算能力；峰值占比 (MFU) 即相对于此值</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>自由软件，依据 GNU 通用公共许可证第 3 版或更高版本发布。</translation>
    </message>
    <message>
        <source>Copy environment</source>
        <translation>复制环境信息</translation>
    </message>
    <message>
        <source>Trainyard %1
Engine %2
Qt %3
%4, %5</source>
        <translation>Trainyard %1
引擎 %2
Qt %3
%4，%5</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>“%1” is not an absolute path: begin it with /.</source>
        <translation>“%1”不是绝对路径：须以 / 开头。</translation>
    </message>
    <message>
        <source>The folder for runs “%1” is not writable: choose another or change its permissions.</source>
        <translation>运行的文件夹“%1”不可写：请选择其他文件夹或更改其权限。</translation>
    </message>
    <message>
        <source>Changes apply immediately, or say when</source>
        <translation>更改立即生效，或注明何时生效</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SharePanel</name>
    <message>
        <source>Where the time went</source>
        <translation>时间去向</translation>
    </message>
    <message>
        <source>compute only</source>
        <translation>仅计算</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>overlapped</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>未隐藏的通信</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Communication hidden</source>
        <translation>已隐藏的通信</translation>
    </message>
    <message>
        <source>in all steps</source>
        <translation>在所有步中</translation>
    </message>
    <message>
        <source>Waited longest for</source>
        <translation>等待最久的是</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>kernels and copies</source>
        <translation>kernel 和复制</translation>
    </message>
    <message>
        <source>phases of the step</source>
        <translation>步的各阶段</translation>
    </message>
    <message>
        <source>operators of the host</source>
        <translation>主机端算子</translation>
    </message>
    <message>
        <source>No time in this range</source>
        <translation>此范围内没有时间</translation>
    </message>
    <message>
        <source>Pipeline bubble</source>
        <translation>流水线气泡</translation>
    </message>
    <message>
        <source>%1, planned %2</source>
        <translation>%1，计划 %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ShelfModel</name>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>goes</source>
        <translation>将移除</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存时间</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ShelfPanel</name>
    <message>
        <source>Val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Train loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Prune…</source>
        <translation>清理…</translation>
    </message>
    <message>
        <source>By step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>checkpoint</translation>
    </message>
    <message>
        <source>How many of the best stay</source>
        <translation>保留多少个最佳的</translation>
    </message>
    <message>
        <source>How many of the newest stay</source>
        <translation>保留多少个最新的</translation>
    </message>
    <message>
        <source>One of so many steps stays</source>
        <translation>每隔这么多步保留一个</translation>
    </message>
    <message>
        <source>Those whose step is a multiple stay</source>
        <translation>保留步数为其倍数的</translation>
    </message>
    <message>
        <source>Validation loss by step, a dot for each checkpoint</source>
        <translation>按步的验证损失，每个 checkpoint 一个点</translation>
    </message>
    <message>
        <source>Training loss by step, a dot for each checkpoint</source>
        <translation>按步的训练损失，每个 checkpoint 一个点</translation>
    </message>
    <message>
        <source>keep best 0 and last 0 keeps nothing: use 1 or more</source>
        <translation>最佳 0 个且最新 0 个将不保留任何内容：请使用 1 或更大的值</translation>
    </message>
    <message>
        <source>removes nothing</source>
        <translation>不移除任何内容</translation>
    </message>
    <message>
        <source>removes %1: %2</source>
        <translation>移除 %1 个：%2</translation>
    </message>
    <message>
        <source>good</source>
        <translation>完好</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>Files, %1</source>
        <translation>文件，%1</translation>
    </message>
    <message>
        <source>every byte, against a recorded hash</source>
        <translation>每个字节，与记录的哈希比对</translation>
    </message>
    <message>
        <source>every byte, against the archive&apos;s checksums</source>
        <translation>每个字节，与归档的校验和比对</translation>
    </message>
    <message>
        <source>header and length only: no checksum is known</source>
        <translation>仅文件头和长度：没有记录校验和</translation>
    </message>
    <message numerus="yes">
        <source>Keep the %n best checkpoints</source>
        <translation>
            <numerusform>保留最好的 %n 个 checkpoint</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Keep the %n newest checkpoints</source>
        <translation>
            <numerusform>保留最新的 %n 个 checkpoint</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Keep one every %n steps, and pinned ones</source>
        <translation>
            <numerusform>每 %n 步保留一个，以及已固定的 checkpoint</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SideWindow</name>
    <message>
        <source>Close this window</source>
        <translation>关闭此窗口</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SideWindows</name>
    <message>
        <source> – Trainyard</source>
        <translation> – Trainyard</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SlicePanel</name>
    <message>
        <source>The chosen slice</source>
        <translation>所选切片</translation>
    </message>
    <message>
        <source>Click a slice, or press → in the timeline.</source>
        <translation>单击一个切片，或在时间线中按 →。</translation>
    </message>
    <message>
        <source>Joined with %1</source>
        <translation>与 %1 关联</translation>
    </message>
    <message>
        <source>Waited for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>轨道</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>none in the file: shown to the end of the trace</source>
        <translation>文件中没有：显示到 trace 末尾</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SlicePicture</name>
    <message numerus="yes">
        <source>Picture of %n elements</source>
        <translation>
            <numerusform>%n 个元素的图像</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StartPage</name>
    <message>
        <source>What would you like to start?</source>
        <translation>想启动什么？</translation>
    </message>
    <message>
        <source>Every page is filled in already; change what you like. Nothing is written until you launch or save.</source>
        <translation>每个页面都已预先填好，可按需更改。启动或保存之前不会写入任何内容。</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>训练模型</translation>
    </message>
    <message>
        <source>A GPT-2 on your text, with the engine of Trainyard; no Python</source>
        <translation>用 Trainyard 引擎在自己的文本上训练 GPT-2；无需 Python</translation>
    </message>
    <message>
        <source>Own Python script</source>
        <translation>自有 Python 脚本</translation>
    </message>
    <message>
        <source>A script, module or program that uses Accelerate</source>
        <translation>使用 Accelerate 的脚本、模块或程序</translation>
    </message>
    <message>
        <source>Settings file only</source>
        <translation>仅设置文件</translation>
    </message>
    <message>
        <source>What accelerate config writes, for use elsewhere</source>
        <translation>accelerate config 所写的内容，供别处使用</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>Start from a preset</source>
        <translation>从预设开始</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StartPanel</name>
    <message>
        <source>Start of the run</source>
        <translation>运行的启动</translation>
    </message>
    <message>
        <source>Reading the run folder</source>
        <translation>正在读取运行文件夹</translation>
    </message>
    <message>
        <source>The folder %1 is not there any more</source>
        <translation>文件夹 %1 已不存在</translation>
    </message>
    <message>
        <source>In the queue: %1</source>
        <translation>在队列中：%1</translation>
    </message>
    <message>
        <source>This run lost its place in the queue. Queue it again from the list of runs.</source>
        <translation>此运行失去了在队列中的位置。请从运行列表重新排队。</translation>
    </message>
    <message>
        <source>Waiting for the first step: %1, %2</source>
        <translation>正在等待第一步：%1，%2</translation>
    </message>
    <message>
        <source>The run ended before its first step</source>
        <translation>此运行在第一步之前就已结束</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StartStage</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StatusLine</name>
    <message>
        <source>commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Engine not found</source>
        <translation>找不到引擎</translation>
    </message>
    <message>
        <source>Engine %1</source>
        <translation>引擎 %1</translation>
    </message>
    <message>
        <source>Engine …</source>
        <translation>引擎 …</translation>
    </message>
    <message>
        <source>no run is live</source>
        <translation>没有进行中的运行</translation>
    </message>
    <message>
        <source>stale %1 s, %2 is silent</source>
        <translation>数据已过时 %1 s，%2 无响应</translation>
    </message>
    <message>
        <source>updated %1 s ago</source>
        <translation>%1 s 前更新</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StepButton</name>
    <message numerus="yes">
        <source>%n to fix</source>
        <translation>
            <numerusform>%n 项待修正</numerusform>
        </translation>
    </message>
    <message>
        <source>skipped: %1</source>
        <translation>已跳过：%1</translation>
    </message>
    <message>
        <source>Not needed: %1</source>
        <translation>不需要：%1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StepPage</name>
    <message>
        <source>Remove it</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StepPicker</name>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>第 %1 步，%2</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时间</translation>
    </message>
    <message numerus="yes">
        <source>%n steps</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TagFilter</name>
    <message>
        <source>%1 is no regular expression: %2.</source>
        <translation>%1 不是正则表达式：%2。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TagTree</name>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Remove the star</source>
        <translation>移除星标</translation>
    </message>
    <message>
        <source>Add a star</source>
        <translation>添加星标</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>固定到顶部</translation>
    </message>
    <message>
        <source>Lay over</source>
        <translation>叠加</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>复制名称</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TensorModel</name>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>reshaped</source>
        <translation>形状已变</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n 个张量</numerusform>
        </translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type, shape</source>
        <translation>类型，形状</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TensorPanel</name>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Checkpoint to compare with</source>
        <translation>要比较的 checkpoint</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Words of the name, a type (bf16), size&gt;1GB, nan, changed</source>
        <translation>名称中的词、类型 (bf16)、size&gt;1GB、nan、changed</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>Tensors %1</source>
        <translation>张量 %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Terminal</name>
    <message>
        <source>No terminal program was found: install one, or name it in TERMINAL.</source>
        <translation>找不到终端程序：请安装一个，或在 TERMINAL 中指定。</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>无法启动 %1。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TileRow</name>
    <message>
        <source>Another curve</source>
        <translation>其他曲线</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TraceTableModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>Total, ms</source>
        <translation>总计，ms</translation>
    </message>
    <message>
        <source>Self, ms</source>
        <translation>自身，ms</translation>
    </message>
    <message>
        <source>Mean, µs</source>
        <translation>平均，µs</translation>
    </message>
    <message>
        <source>% of busy</source>
        <translation>忙碌占比 %</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>轨道</translation>
    </message>
    <message>
        <source>Begin, ms</source>
        <translation>开始，ms</translation>
    </message>
    <message>
        <source>Before, ms</source>
        <translation>之前，ms</translation>
    </message>
    <message>
        <source>After, ms</source>
        <translation>之后，ms</translation>
    </message>
    <message>
        <source>Difference, ms</source>
        <translation>差值，ms</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TracesPage</name>
    <message>
        <source>Traces</source>
        <translation>trace</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Where the time went</source>
        <translation>时间去向</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Step %1 is not in this trace</source>
        <translation>第 %1 步不在此 trace 中</translation>
    </message>
    <message>
        <source>Traces of %1</source>
        <translation>%1 的 trace</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>%1 of %2, %3/s, file %4 of %5</source>
        <translation>%1 / %2，%3/s，文件 %4 / %5</translation>
    </message>
    <message>
        <source>This trace cannot be shown</source>
        <translation>此 trace 无法显示</translation>
    </message>
    <message>
        <source>Not everything in the file could be shown</source>
        <translation>文件中的部分内容无法显示</translation>
    </message>
    <message>
        <source>whole trace, %1</source>
        <translation>整个 trace，%1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 个切片</translation>
    </message>
    <message>
        <source>searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>正在与 %1 比较</translation>
    </message>
    <message>
        <source>This trace cannot be compared</source>
        <translation>此 trace 无法比较</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>已保存到 %1。</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.json.zst *.gz *.zst);;All files (*)</source>
        <translation>trace (*.json *.json.gz *.json.zst *.gz *.zst);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation>查找切片</translation>
    </message>
    <message>
        <source>Parts of names, /regular expressions/, dur&gt;5ms, cat:kernel, family:matmul, track:stream, rank:3, step:120, arg:bytes&gt;4096, !not. Enter goes to the next one.</source>
        <translation>名称的一部分、/正则表达式/、dur&gt;5ms、cat:kernel、family:matmul、track:stream、rank:3、step:120、arg:bytes&gt;4096、!排除。按 Enter 转到下一个。</translation>
    </message>
    <message>
        <source>Order of the ranks</source>
        <translation>rank 的顺序</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>按 rank</translation>
    </message>
    <message>
        <source>Slowest first</source>
        <translation>最慢的在前</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Open the newest profile of a folder…</source>
        <translation>打开文件夹中最新的性能分析…</translation>
    </message>
    <message>
        <source>Compare with another trace…</source>
        <translation>与其他 trace 比较…</translation>
    </message>
    <message>
        <source>Save the table as CSV…</source>
        <translation>将表格保存为 CSV…</translation>
    </message>
    <message>
        <source>Colours by name</source>
        <translation>按名称着色</translation>
    </message>
    <message>
        <source>Colours by family</source>
        <translation>按系列着色</translation>
    </message>
    <message>
        <source>Fold all ranks</source>
        <translation>折叠所有 rank</translation>
    </message>
    <message>
        <source>Unfold all ranks</source>
        <translation>展开所有 rank</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>What has been read is shown.</source>
        <translation>显示的是已读取的内容。</translation>
    </message>
    <message>
        <source>No trace yet.</source>
        <translation>尚无 trace。</translation>
    </message>
    <message>
        <source>Press Profile on a run, or open a Chrome JSON file.</source>
        <translation>在运行中按“性能分析”，或打开 Chrome JSON 文件。</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>放大，缩小</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>更早，更晚</translation>
    </message>
    <message>
        <source>Walk through slices</source>
        <translation>逐个浏览切片</translation>
    </message>
    <message>
        <source>Previous, next slice of this name</source>
        <translation>上一个、下一个同名切片</translation>
    </message>
    <message>
        <source>Select the range of the chosen slice</source>
        <translation>选择所选切片的范围</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>缩放到选区</translation>
    </message>
    <message>
        <source>The whole trace</source>
        <translation>整个 trace</translation>
    </message>
    <message>
        <source>Previous, next step</source>
        <translation>上一步，下一步</translation>
    </message>
    <message>
        <source>Fold or unfold the rank</source>
        <translation>折叠或展开 rank</translation>
    </message>
    <message>
        <source>Pin the rank to the top</source>
        <translation>将 rank 固定到顶部</translation>
    </message>
    <message>
        <source>Mark; two marks measure</source>
        <translation>标记；两个标记可测量间距</translation>
    </message>
    <message>
        <source>Next slice that was found</source>
        <translation>下一个找到的切片</translation>
    </message>
    <message>
        <source>A trace, or the traces of all ranks</source>
        <translation>一个 trace，或所有 rank 的 trace</translation>
    </message>
    <message>
        <source>A run, or a folder with traces</source>
        <translation>运行，或包含 trace 的文件夹</translation>
    </message>
    <message>
        <source>The trace to compare with</source>
        <translation>要比较的 trace</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>In the selected range of %1, times per step.</source>
        <translation>在所选的 %1 范围内，每步时间。</translation>
    </message>
    <message>
        <source>In the whole trace, times per step.</source>
        <translation>整个 trace，每步时间。</translation>
    </message>
    <message>
        <source>%1 before, %2 after; a step: %3 before, %4 after</source>
        <translation>之前 %1，之后 %2；每步：之前 %3，之后 %4</translation>
    </message>
    <message>
        <source>%1 before, %2 after</source>
        <translation>之前 %1，之后 %2</translation>
    </message>
    <message>
        <source>this trace</source>
        <translation>此 trace</translation>
    </message>
    <message>
        <source>These ranks cannot be compared</source>
        <translation>无法比较这些 rank</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Save the selection as a trace</source>
        <translation>将所选保存为 trace</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>trace (*.json)</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 未保存</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
    <message>
        <source>%1 slices saved to %2.</source>
        <translation>已将 %1 个片段保存到 %2。</translation>
    </message>
    <message>
        <source>Compare two ranks…</source>
        <translation>比较两个 rank…</translation>
    </message>
    <message>
        <source>Save the picture as PNG…</source>
        <translation>将图片保存为 PNG…</translation>
    </message>
    <message>
        <source>Save the selection as a trace…</source>
        <translation>将所选保存为 trace…</translation>
    </message>
    <message>
        <source>The schedule without waits, as outlines</source>
        <translation>无等待的调度，以轮廓显示</translation>
    </message>
    <message>
        <source>Of pipelines: when each micro-batch would have been computed if nobody had waited.</source>
        <translation>对于流水线：若无人等待，每个 micro-batch 的计算时间。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TrainingPage</name>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Steps, batch and learning rate, and what they add up to on all ranks.</source>
        <translation>步数、batch 和学习率，以及它们在所有 rank 上的合计。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TrashView</name>
    <message>
        <source>The trash is empty. Deleted runs are kept here and can be restored.</source>
        <translation>回收站为空。已删除的运行保留在此处，可以还原。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Delete permanently…</source>
        <translation>永久删除…</translation>
    </message>
    <message>
        <source>Empty the trash…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>Deleted runs are kept</source>
        <translation>已删除的运行保留</translation>
    </message>
    <message>
        <source>forever</source>
        <translation>永久</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>Days that deleted runs are kept</source>
        <translation>已删除运行的保留天数</translation>
    </message>
    <message>
        <source>Older runs are deleted permanently when the program starts. 0 keeps all of them.</source>
        <translation>更早的运行会在程序启动时永久删除。0 表示全部保留。</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
    <message>
        <source>Restore (Enter)</source>
        <translation>还原 (Enter)</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>删除时间</translation>
    </message>
    <message>
        <source>Deleted permanently</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Deleted runs</source>
        <translation>已删除的运行</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>%1 后</translation>
    </message>
    <message>
        <source>at the next start</source>
        <translation>下次启动时</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Delete %1 permanently?</source>
        <translation>永久删除 %1？</translation>
    </message>
    <message>
        <source>Delete %1 runs permanently?</source>
        <translation>永久删除 %1 个运行？</translation>
    </message>
    <message>
        <source>%1 with all curves, logs and checkpoints. This cannot be undone.</source>
        <translation>%1，包括所有曲线、日志和 checkpoint。此操作无法撤消。</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TryItPage</name>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>A second checkpoint beside it</source>
        <translation>并排放置第二个 checkpoint</translation>
    </message>
    <message>
        <source>first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>second</source>
        <translation>第二个</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Continues the text (Ctrl+Enter)</source>
        <translation>续写文本 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Ends the text; what is written stays</source>
        <translation>结束文本；已生成的内容保留</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>A text to go on from</source>
        <translation>用于续写的文本</translation>
    </message>
    <message>
        <source>Continue the text</source>
        <translation>续写文本</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>There is no whole checkpoint yet</source>
        <translation>还没有完好的 checkpoint</translation>
    </message>
    <message>
        <source>A run saves its first one at step checkpoint.every, or when it is asked to.</source>
        <translation>运行会在 checkpoint.every 指定的步，或在收到请求时保存第一个 checkpoint。</translation>
    </message>
    <message>
        <source>It cannot be opened</source>
        <translation>无法打开</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ViewState</name>
    <message>
        <source>it is larger than %1 KB</source>
        <translation>它大于 %1 KB</translation>
    </message>
    <message>
        <source>it holds no object</source>
        <translation>其中没有对象</translation>
    </message>
    <message>
        <source>The saved view of %1 could not be read (%2). It was reset, and the file was kept as %3.</source>
        <translation>无法读取 %1 的已保存视图（%2）。视图已重置，原文件保留为 %3。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WhatIfPanel</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Micro-batch per rank</source>
        <translation>每个 rank 的 micro-batch</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>fp8</source>
        <translation>fp8</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>DDP</source>
        <translation>DDP</translation>
    </message>
    <message>
        <source>ZeRO 1</source>
        <translation>ZeRO 1</translation>
    </message>
    <message>
        <source>ZeRO 2</source>
        <translation>ZeRO 2</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>完全</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>流水线 stage 数</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Activation checkpointing</source>
        <translation>激活重计算</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Selective</source>
        <translation>选择性</translation>
    </message>
    <message>
        <source>Offload parameters to host</source>
        <translation>将参数卸载到主机</translation>
    </message>
    <message>
        <source>Loss in chunks</source>
        <translation>分块计算损失</translation>
    </message>
    <message>
        <source>16-bit weights, fp32 masters</source>
        <translation>16 位权重，fp32 主权重</translation>
    </message>
    <message>
        <source>%1, powers of two</source>
        <translation>%1，2 的幂</translation>
    </message>
    <message>
        <source>Memory of a host, GiB</source>
        <translation>每台主机内存，GiB</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>What is offloaded is judged by it; 0: not known</source>
        <translation>据此判断卸载的内容；0：未知</translation>
    </message>
    <message numerus="yes">
        <source>%1 data x %2 tensor x %3 context x %4 stages = %n ranks</source>
        <translation>
            <numerusform>%1 数据 x %2 张量 x %3 上下文 x %4 stage = %n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WindowCommands</name>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open a run folder or a folder of logs…</source>
        <translation>打开运行文件夹或日志文件夹…</translation>
    </message>
    <message>
        <source>Open logs of another machine…</source>
        <translation>打开其他机器上的日志…</translation>
    </message>
    <message>
        <source>Start the sample run</source>
        <translation>启动示例运行</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Collapse or expand the sidebar</source>
        <translation>折叠或展开侧边栏</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>在此页面中查找</translation>
    </message>
    <message>
        <source>Main action of this page</source>
        <translation>此页面的主要操作</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>在新窗口中打开</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WizardPage</name>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>1 field to fix</source>
        <translation>1 个字段待修正</translation>
    </message>
    <message>
        <source>%1 fields to fix</source>
        <translation>%1 个字段待修正</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一步：%1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Nothing is written until you launch or save</source>
        <translation>启动或保存之前不会写入任何内容</translation>
    </message>
    <message>
        <source>%1 is not asked now</source>
        <translation>当前不询问 %1</translation>
    </message>
    <message>
        <source>The recipe cannot be run</source>
        <translation>此配方无法运行</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2 problems</source>
        <translation>无法读取 %1：%2 个问题</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>%1 has a problem; the form shows what could be read</source>
        <translation>%1 有一个问题；表单显示可读取的内容</translation>
    </message>
    <message>
        <source>%1 has %2 problems; the form shows what could be read</source>
        <translation>%1 有 %2 个问题；表单显示可读取的内容</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>The settings of accelerate</source>
        <translation>accelerate 的设置</translation>
    </message>
    <message>
        <source>Open settings, a recipe or a DeepSpeed file</source>
        <translation>打开设置、配方或 DeepSpeed 文件</translation>
    </message>
    <message>
        <source>Settings and recipes (*.yaml *.yml *.json);;All files (*)</source>
        <translation>设置和配方 (*.yaml *.yml *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The settings were not saved</source>
        <translation>设置未保存</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>Save the settings</source>
        <translation>保存设置</translation>
    </message>
    <message>
        <source>Settings (*.yaml *.yml *.json)</source>
        <translation>设置 (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Launching…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>运行未启动</translation>
    </message>
    <message>
        <source> on this machine</source>
        <translation> 在本机上</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source> on %1</source>
        <translation> 在 %1 上</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 台主机</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>draft saved</source>
        <translation>草稿已保存</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>The draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Undo (Ctrl+Z)</source>
        <translation>撤消 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Redo (Ctrl+Shift+Z)</source>
        <translation>重做 (Ctrl+Shift+Z)</translation>
    </message>
    <message>
        <source>Open YAML…</source>
        <translation>打开 YAML…</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Guided</source>
        <translation>向导</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>preset “%1”</source>
        <translation>预设“%1”</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Go to the first</source>
        <translation>转到第一个</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Undo in the form</source>
        <translation>在表单中撤消</translation>
    </message>
    <message>
        <source>Redo in the form</source>
        <translation>在表单中重做</translation>
    </message>
    <message>
        <source>Save the settings as YAML</source>
        <translation>将设置保存为 YAML</translation>
    </message>
    <message>
        <source>Guided or Expert</source>
        <translation>向导或专家</translation>
    </message>
    <message>
        <source>Go to field…</source>
        <translation>转到字段…</translation>
    </message>
    <message>
        <source>Begin a new draft</source>
        <translation>新建草稿</translation>
    </message>
    <message>
        <source>Go to field</source>
        <translation>转到字段</translation>
    </message>
    <message>
        <source>Field or key, e.g. main_process_port</source>
        <translation>字段或键，例如 main_process_port</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>The data of the saved draft was replaced</source>
        <translation>已保存草稿的数据已被替换</translation>
    </message>
    <message>
        <source>The draft had %1, now it has %2. Everything else of it is as it was saved: Undo takes the data back, Begin a new draft starts from the sample.</source>
        <translation>草稿原来使用 %1，现在使用 %2。其余内容与保存时相同：“撤销”可恢复数据，“开始新草稿”从示例开始。</translation>
    </message>
    <message>
        <source>The command of this run is in the form</source>
        <translation>此运行的命令已填入表单</translation>
    </message>
    <message>
        <source>Its environment variables and its folder are not: set them where you start Trainyard if the program needs them.</source>
        <translation>其环境变量和文件夹未填入：如果程序需要，请在启动 Trainyard 的位置设置它们。</translation>
    </message>
    <message>
        <source>Launch with code that a file names?</source>
        <translation>要使用文件指定的代码启动吗？</translation>
    </message>
    <message>
        <source>%1 names programs or libraries. With your rights, this launch executes:</source>
        <translation>%1 指定了程序或库。此次启动会以您的权限执行：</translation>
    </message>
    <message>
        <source>You are asked once for each file, and again if it names something else.</source>
        <translation>每个文件只询问一次；如果它指定了其他内容，会再次询问。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WriteDialog</name>
    <message>
        <source>Write weights</source>
        <translation>写入权重</translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Average of all %1, equal shares</source>
        <translation>全部 %1 个的平均，比例相等</translation>
    </message>
    <message>
        <source>Moving average over all %1</source>
        <translation>全部 %1 个的移动平均</translation>
    </message>
    <message>
        <source>Average of all %1, own shares</source>
        <translation>全部 %1 个的平均，自定比例</translation>
    </message>
    <message>
        <source>As saved</source>
        <translation>与保存时相同</translation>
    </message>
    <message>
        <source>As the run&apos;s base, else as saved</source>
        <translation>与运行的基础权重相同，否则与保存的相同</translation>
    </message>
    <message>
        <source>One safetensors file</source>
        <translation>单个 safetensors 文件</translation>
    </message>
    <message>
        <source>Shards with an index</source>
        <translation>分片并附索引</translation>
    </message>
    <message>
        <source>torch.distributed.checkpoint</source>
        <translation>torch.distributed.checkpoint</translation>
    </message>
    <message>
        <source>Folder for transformers</source>
        <translation>transformers 文件夹</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>0.2 0.3 0.5: one for each, oldest first</source>
        <translation>0.2 0.3 0.5：每个一项，最旧的在前</translation>
    </message>
    <message>
        <source>none: names stay; else a file with a line &quot;old -&gt; new&quot; for each</source>
        <translation>无：名称不变；否则为一个文件，每个名称一行 &quot;旧 -&gt; 新&quot;</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>Largest shard</source>
        <translation>最大分片</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Rename by table</source>
        <translation>按表重命名</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder to write</source>
        <translation>要写入的文件夹</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Table of names</source>
        <translation>名称表</translation>
    </message>
    <message>
        <source>Name a folder to write to.</source>
        <translation>请指定要写入的文件夹。</translation>
    </message>
    <message>
        <source>There are %1 checkpoints: give a share for each, as numbers with a space between.</source>
        <translation>共有 %1 个 checkpoint：请为每个给出比例，用空格分隔数字。</translation>
    </message>
    <message>
        <source>Written beside its place, read back and compared, then renamed.</source>
        <translation>先写到目标旁，读回并比较，然后重命名。</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WrittenPanel</name>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Copy what is shown</source>
        <translation>复制所显示的内容</translation>
    </message>
    <message>
        <source>Copy what will be written</source>
        <translation>复制将写入的内容</translation>
    </message>
    <message>
        <source>What will be written</source>
        <translation>将写入的内容</translation>
    </message>
    <message>
        <source>Edit the text. The form follows.</source>
        <translation>编辑文本，表单会随之更新。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Comments typed here are not kept. Add them to the saved file.</source>
        <translation>在此处输入的注释不会保留。请将其添加到保存的文件中。</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>~ %1 changed</source>
        <translation>~ 更改 %1</translation>
    </message>
    <message>
        <source>+ %1 added</source>
        <translation>+ 新增 %1</translation>
    </message>
    <message>
        <source>%1 %2 removed</source>
        <translation>%1 移除 %2</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>与文件中相同</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::saveFile</name>
    <message>
        <source>%1 was not written: %2</source>
        <translation>%1 未写入：%2</translation>
    </message>
</context>
<context>
    <name>trainyard::engine</name>
    <message>
        <source>0 is the machine that hosts the main process</source>
        <translation>0 是承载主进程的机器</translation>
    </message>
    <message>
        <source>1 shards flat parameters, 2 each parameter for itself</source>
        <translation>1 切分展平的参数，2 单独切分每个参数</translation>
    </message>
    <message>
        <source>1e8 is the usual value</source>
        <translation>通常为 1e8</translation>
    </message>
    <message>
        <source>2 is the present one</source>
        <translation>2 为当前版本</translation>
    </message>
    <message>
        <source>A DeepSpeed JSON with zero_optimization</source>
        <translation>含有 zero_optimization 的 DeepSpeed JSON</translation>
    </message>
    <message>
        <source>A copy of the model on each GPU of this machine (DDP), bf16</source>
        <translation>本机每个 GPU 上一份模型副本（DDP），bf16</translation>
    </message>
    <message>
        <source>A further option of sbatch, as in --sbatch_arg=--exclusive</source>
        <translation>sbatch 的其他选项，例如 --sbatch_arg=--exclusive</translation>
    </message>
    <message>
        <source>A job that was stopped does not go on later</source>
        <translation>已停止的作业之后不会继续</translation>
    </message>
    <message>
        <source>A pod that gcloud reaches</source>
        <translation>gcloud 可访问的 pod</translation>
    </message>
    <message>
        <source>A section of ~/.aws/config</source>
        <translation>~/.aws/config 中的一节</translation>
    </message>
    <message>
        <source>A table with the columns channel and location</source>
        <translation>含有 channel 和 location 列的表</translation>
    </message>
    <message>
        <source>A table with the columns name and regex</source>
        <translation>含有 name 和 regex 列的表</translation>
    </message>
    <message>
        <source>AO: torchao, TE: Transformer Engine, MSAMP: MS-AMP</source>
        <translation>AO：torchao，TE：Transformer Engine，MSAMP：MS-AMP</translation>
    </message>
    <message>
        <source>AWS Trainium and Inferentia</source>
        <translation>AWS Trainium 和 Inferentia</translation>
    </message>
    <message>
        <source>AWS profile</source>
        <translation>AWS 配置文件</translation>
    </message>
    <message>
        <source>Accelerate&apos;s usual one</source>
        <translation>Accelerate 的常用值</translation>
    </message>
    <message>
        <source>Accelerators of this machine stay unused</source>
        <translation>不使用本机的加速器</translation>
    </message>
    <message>
        <source>Access key</source>
        <translation>访问密钥</translation>
    </message>
    <message>
        <source>Access key of AWS, where there is no profile; better kept in ~/.aws or in the environment</source>
        <translation>没有配置文件时的 AWS 访问密钥；最好保存在 ~/.aws 或环境变量中</translation>
    </message>
    <message>
        <source>Access keys</source>
        <translation>访问密钥</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Account that the job is charged to</source>
        <translation>作业计费的账户</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>累积</translation>
    </message>
    <message>
        <source>Accumulation steps</source>
        <translation>累积步数</translation>
    </message>
    <message>
        <source>Activation checkpointing</source>
        <translation>激活检查点</translation>
    </message>
    <message>
        <source>Address of one&apos;s own container image</source>
        <translation>自有容器镜像的地址</translation>
    </message>
    <message>
        <source>Address of the main machine</source>
        <translation>主机器的地址</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>All at once, or around a ring</source>
        <translation>一次全部，或沿环传递</translation>
    </message>
    <message>
        <source>All machines are in one local network and reach the main machine&apos;s port directly</source>
        <translation>所有机器在同一局域网内，可直接访问主机器的端口</translation>
    </message>
    <message>
        <source>Amazon SageMaker</source>
        <translation>Amazon SageMaker</translation>
    </message>
    <message>
        <source>Amazon&apos;s kind of machine, e.g. ml.p3.2xlarge</source>
        <translation>Amazon 的机器类型，例如 ml.p3.2xlarge</translation>
    </message>
    <message>
        <source>Amazon&apos;s region, e.g. us-east-1</source>
        <translation>Amazon 的区域，例如 us-east-1</translation>
    </message>
    <message>
        <source>As gcloud lists it</source>
        <translation>与 gcloud 列出的一致</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Average the loss over all tokens of a step instead of over micro batches</source>
        <translation>对一步中的所有 token 求平均损失，而不是对 micro-batch</translation>
    </message>
    <message>
        <source>Back end</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Backend of torch.compile; NO leaves the model as it is</source>
        <translation>torch.compile 的后端；NO 表示模型保持不变</translation>
    </message>
    <message>
        <source>Backward prefetch</source>
        <translation>反向预取</translation>
    </message>
    <message>
        <source>Batch job</source>
        <translation>批处理作业</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Before or after the gradients of the present one</source>
        <translation>在当前梯度之前或之后</translation>
    </message>
    <message>
        <source>Beginning of the job&apos;s name in SageMaker</source>
        <translation>SageMaker 中作业名的开头</translation>
    </message>
    <message>
        <source>Best inside one machine; divides the attention heads</source>
        <translation>最适合单机内；切分注意力头</translation>
    </message>
    <message>
        <source>Block scaling</source>
        <translation>块缩放</translation>
    </message>
    <message>
        <source>Broadcast at the start</source>
        <translation>启动时广播</translation>
    </message>
    <message>
        <source>Build sharded</source>
        <translation>分片构建</translation>
    </message>
    <message>
        <source>Build the model already sharded (zero.Init), for models larger than one machine&apos;s memory</source>
        <translation>构建时即对模型分片（zero.Init），用于大于单机内存的模型</translation>
    </message>
    <message>
        <source>By layer class</source>
        <translation>按层的类</translation>
    </message>
    <message>
        <source>By size</source>
        <translation>按大小</translation>
    </message>
    <message>
        <source>CPU memory</source>
        <translation>CPU 内存</translation>
    </message>
    <message>
        <source>CPU offload</source>
        <translation>CPU 卸载</translation>
    </message>
    <message>
        <source>CPU only</source>
        <translation>仅 CPU</translation>
    </message>
    <message>
        <source>CPU smoke test</source>
        <translation>CPU 冒烟测试</translation>
    </message>
    <message>
        <source>Cambricon</source>
        <translation>寒武纪</translation>
    </message>
    <message>
        <source>Changing shapes</source>
        <translation>变化的形状</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Check everything and print the command and environment of every process; start nothing</source>
        <translation>检查全部内容并输出每个进程的命令和环境；不启动任何进程</translation>
    </message>
    <message>
        <source>Check operations</source>
        <translation>检查操作</translation>
    </message>
    <message>
        <source>Check that all processes call the same operations with matching shapes; slower</source>
        <translation>检查所有进程是否以匹配的形状调用相同操作；较慢</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>checkpoint</translation>
    </message>
    <message>
        <source>Checkpoints to the CPU</source>
        <translation>checkpoint 存到 CPU</translation>
    </message>
    <message>
        <source>Choose attention kernels</source>
        <translation>选择注意力内核</translation>
    </message>
    <message>
        <source>Class names of layers with experts, separated by commas</source>
        <translation>含专家的层的类名，以逗号分隔</translation>
    </message>
    <message>
        <source>Class names of the layers to shard one by one, separated by commas; without it the model&apos;s own list</source>
        <translation>要逐个分片的层的类名，以逗号分隔；不填则使用模型自己的列表</translation>
    </message>
    <message>
        <source>Clip at</source>
        <translation>裁剪到</translation>
    </message>
    <message>
        <source>Clip gradients</source>
        <translation>裁剪梯度</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Command file</source>
        <translation>命令文件</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands in a script</source>
        <translation>脚本中的命令</translation>
    </message>
    <message>
        <source>Commands that `tpu-config` runs on every worker</source>
        <translation>`tpu-config` 在每个 worker 上运行的命令</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Compile for shapes that change from step to step</source>
        <translation>为逐步变化的形状编译</translation>
    </message>
    <message>
        <source>Compile layers</source>
        <translation>编译层</translation>
    </message>
    <message>
        <source>Compile mode</source>
        <translation>编译模式</translation>
    </message>
    <message>
        <source>Compile the repeated layer once instead of the whole model: much shorter start</source>
        <translation>只编译一次重复的层，而不是整个模型：启动快得多</translation>
    </message>
    <message>
        <source>Compile with</source>
        <translation>编译工具</translation>
    </message>
    <message>
        <source>Compute activations again in the backward pass instead of keeping them: less memory, slower</source>
        <translation>在反向传播中重新计算激活而不保存：内存更少，速度较慢</translation>
    </message>
    <message>
        <source>Compute the attention&apos;s activations again in the backward pass: less memory</source>
        <translation>在反向传播中重新计算注意力的激活：内存更少</translation>
    </message>
    <message>
        <source>Compute the attention&apos;s softmax in single precision</source>
        <translation>以单精度计算注意力的 softmax</translation>
    </message>
    <message>
        <source>Container image</source>
        <translation>容器镜像</translation>
    </message>
    <message>
        <source>Context exchange</source>
        <translation>上下文交换</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Context-parallel library</source>
        <translation>上下文并行库</translation>
    </message>
    <message>
        <source>Copies of the sharded model</source>
        <translation>分片模型的副本数</translation>
    </message>
    <message>
        <source>Cores for each process of the job</source>
        <translation>作业中每个进程的核心数</translation>
    </message>
    <message>
        <source>Cores of a process</source>
        <translation>每个进程的核心数</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Data-parallel copies (HSDP)</source>
        <translation>数据并行副本（HSDP）</translation>
    </message>
    <message>
        <source>Debug checks</source>
        <translation>调试检查</translation>
    </message>
    <message>
        <source>DeepSpeed</source>
        <translation>DeepSpeed</translation>
    </message>
    <message>
        <source>DeepSpeed file</source>
        <translation>DeepSpeed 文件</translation>
    </message>
    <message>
        <source>DeepSpeed shards everything and keeps optimizer states and weights in CPU memory, bf16</source>
        <translation>DeepSpeed 切分全部内容，并将优化器状态和权重保存在 CPU 内存中，bf16</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s filter, e.g. worker-0:0,2@worker-1</source>
        <translation>DeepSpeed 的筛选器，例如 worker-0:0,2@worker-1</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s filter, e.g. worker-0:1@worker-2</source>
        <translation>DeepSpeed 的筛选器，例如 worker-0:1@worker-2</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s filter: gpu-a@gpu-b:0,1</source>
        <translation>DeepSpeed 的筛选器：gpu-a@gpu-b:0,1</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s multi-node launcher</source>
        <translation>DeepSpeed 的多节点启动器</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s own JSON file; then the keys here that it also has must be left out</source>
        <translation>DeepSpeed 自己的 JSON 文件；其中已有的键此处必须省略</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>分离</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device library</source>
        <translation>设备库</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices of each node, as in gpu:4</source>
        <translation>每个节点的设备，例如 gpu:4</translation>
    </message>
    <message>
        <source>Distributed optimizer</source>
        <translation>分布式优化器</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布方式</translation>
    </message>
    <message>
        <source>Do not print a trace when a process fails</source>
        <translation>进程失败时不输出回溯</translation>
    </message>
    <message>
        <source>Double as bf16 too</source>
        <translation>double 也用 bf16</translation>
    </message>
    <message>
        <source>Dropout in attention</source>
        <translation>注意力的 dropout</translation>
    </message>
    <message>
        <source>Dropout of hidden states</source>
        <translation>隐藏状态的 dropout</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Dynamic shapes</source>
        <translation>动态形状</translation>
    </message>
    <message>
        <source>EC2 type</source>
        <translation>EC2 类型</translation>
    </message>
    <message>
        <source>Each process takes over the parameters of the first one when the model is wrapped</source>
        <translation>包装模型时每个进程采用第一个进程的参数</translation>
    </message>
    <message>
        <source>Each unit is gathered and freed by itself</source>
        <translation>每个单元单独聚合和释放</translation>
    </message>
    <message>
        <source>Else they are given here</source>
        <translation>否则在此处给出</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Environment variables for the pod&apos;s machines, each as NAME=value</source>
        <translation>pod 各机器的环境变量，格式均为 NAME=value</translation>
    </message>
    <message>
        <source>Exchange of context</source>
        <translation>上下文的交换方式</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>FP8 in evaluation</source>
        <translation>评估时使用 FP8</translation>
    </message>
    <message>
        <source>FP8 library</source>
        <translation>FP8 库</translation>
    </message>
    <message>
        <source>FSDP 2 with recomputed activations and parameters in CPU memory, bf16</source>
        <translation>FSDP 2，重新计算激活，参数存于 CPU 内存，bf16</translation>
    </message>
    <message>
        <source>FSDP group size</source>
        <translation>FSDP 组大小</translation>
    </message>
    <message>
        <source>Fails where a graph breaks</source>
        <translation>图中断时失败</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特性</translation>
    </message>
    <message>
        <source>Features that the nodes must have</source>
        <translation>节点必须具备的特性</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File of settings for this launch instead of the default one</source>
        <translation>本次启动使用的设置文件，代替默认文件</translation>
    </message>
    <message>
        <source>File whose lines `tpu-config` runs on every worker</source>
        <translation>`tpu-config` 在每个 worker 上逐行运行的文件</translation>
    </message>
    <message>
        <source>File with lines `host slots=N`</source>
        <translation>每行为 `host slots=N` 的文件</translation>
    </message>
    <message>
        <source>Fill matrices up to sizes that FP8 kernels can take</source>
        <translation>将矩阵填充到 FP8 内核可处理的大小</translation>
    </message>
    <message>
        <source>Finds shapes that differ between processes; slower</source>
        <translation>找出进程间不一致的形状；较慢</translation>
    </message>
    <message>
        <source>Folder for the output of the processes</source>
        <translation>进程输出的文件夹</translation>
    </message>
    <message>
        <source>Folder on an NVMe disk for the optimizer state</source>
        <translation>NVMe 磁盘上存放优化器状态的文件夹</translation>
    </message>
    <message>
        <source>Folder on an NVMe disk for the parameters</source>
        <translation>NVMe 磁盘上存放参数的文件夹</translation>
    </message>
    <message>
        <source>For example an installation</source>
        <translation>例如一次安装</translation>
    </message>
    <message>
        <source>For example ml.g5.xlarge</source>
        <translation>例如 ml.g5.xlarge</translation>
    </message>
    <message>
        <source>For example us-central1-a</source>
        <translation>例如 us-central1-a</translation>
    </message>
    <message>
        <source>For inputs whose length changes</source>
        <translation>用于长度变化的输入</translation>
    </message>
    <message>
        <source>For long sequences</source>
        <translation>用于长序列</translation>
    </message>
    <message>
        <source>For models larger than one GPU; stage 3 only</source>
        <translation>用于大于单个 GPU 的模型；仅阶段 3</translation>
    </message>
    <message>
        <source>For models of transformers</source>
        <translation>用于 transformers 的模型</translation>
    </message>
    <message>
        <source>For several machines with MPI installed</source>
        <translation>用于安装了 MPI 的多台机器</translation>
    </message>
    <message>
        <source>For the commands on the pod&apos;s machines</source>
        <translation>用于 pod 各机器上的命令</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Forward prefetch</source>
        <translation>前向预取</translation>
    </message>
    <message>
        <source>Forward, input gradient or weight gradient</source>
        <translation>前向、输入梯度或权重梯度</translation>
    </message>
    <message>
        <source>Free the gathered parameters after the forward pass: less memory, more communication</source>
        <translation>前向传播后释放聚合的参数：内存更少，通信更多</translation>
    </message>
    <message>
        <source>Frees GPU memory at the price of time</source>
        <translation>以时间换取 GPU 显存</translation>
    </message>
    <message>
        <source>Frees GPU memory, slower</source>
        <translation>节省 GPU 显存，较慢</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>Full graph</source>
        <translation>完整图</translation>
    </message>
    <message>
        <source>Function of the script that is started on TPU</source>
        <translation>在 TPU 上启动的脚本函数</translation>
    </message>
    <message>
        <source>Further arguments of SageMaker&apos;s estimator, e.g. max_run or use_spot_instances</source>
        <translation>SageMaker estimator 的其他参数，例如 max_run 或 use_spot_instances</translation>
    </message>
    <message>
        <source>Further option</source>
        <translation>其他选项</translation>
    </message>
    <message>
        <source>GPU ids</source>
        <translation>GPU 编号</translation>
    </message>
    <message>
        <source>Gather in FP8</source>
        <translation>以 FP8 聚合</translation>
    </message>
    <message>
        <source>Gather the next parameters during the forward pass; only for models whose order never changes</source>
        <translation>在前向传播期间聚合后续参数；仅用于顺序从不变化的模型</translation>
    </message>
    <message>
        <source>Gather the weights in 16 bits when the model is saved</source>
        <translation>保存模型时以 16 位聚合权重</translation>
    </message>
    <message>
        <source>Gathers the shards when the model is saved</source>
        <translation>保存模型时聚合各分片</translation>
    </message>
    <message>
        <source>Global L2 norm</source>
        <translation>全局 L2 范数</translation>
    </message>
    <message>
        <source>Google TPU through XLA</source>
        <translation>通过 XLA 使用 Google TPU</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>Gradients and optimizer</source>
        <translation>梯度和优化器</translation>
    </message>
    <message>
        <source>Groups of layers that work one behind the other</source>
        <translation>前后衔接工作的层组</translation>
    </message>
    <message>
        <source>HPU ids</source>
        <translation>HPU 编号</translation>
    </message>
    <message>
        <source>HYBRID: E4M3 forward, E5M2 for gradients</source>
        <translation>HYBRID：前向 E4M3，梯度 E5M2</translation>
    </message>
    <message>
        <source>HYBRID: E4M3 forwards and E5M2 backwards</source>
        <translation>HYBRID：前向 E4M3，反向 E5M2</translation>
    </message>
    <message>
        <source>Half the traffic of bf16</source>
        <translation>通信量为 bf16 的一半</translation>
    </message>
    <message>
        <source>Hand the run to SLURM as a batch job, and follow it</source>
        <translation>将运行作为批处理作业交给 SLURM 并跟踪</translation>
    </message>
    <message>
        <source>Higher precision</source>
        <translation>更高精度</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>History length</source>
        <translation>历史长度</translation>
    </message>
    <message>
        <source>Host file</source>
        <translation>主机文件</translation>
    </message>
    <message>
        <source>Host name or IP address that all machines reach</source>
        <translation>所有机器都能访问的主机名或 IP 地址</translation>
    </message>
    <message>
        <source>Host name or address of the machine with rank 0</source>
        <translation>rank 为 0 的机器的主机名或地址</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Hosts for mpirun; with it the processes are started by mpirun</source>
        <translation>mpirun 的主机；设置后由 mpirun 启动进程</translation>
    </message>
    <message>
        <source>Hosts left out</source>
        <translation>排除的主机</translation>
    </message>
    <message>
        <source>Hosts taken</source>
        <translation>使用的主机</translation>
    </message>
    <message>
        <source>Hosts to start on over SSH, each with its number of processes if wanted: gpu-a,gpu-b:2</source>
        <translation>通过 SSH 启动的主机，可各附进程数：gpu-a,gpu-b:2</translation>
    </message>
    <message>
        <source>How DeepSpeed starts the other machines</source>
        <translation>DeepSpeed 启动其他机器的方式</translation>
    </message>
    <message>
        <source>How SageMaker spreads the work over devices</source>
        <translation>SageMaker 将工作分配到设备的方式</translation>
    </message>
    <message>
        <source>How often all processes are started again when one fails</source>
        <translation>有进程失败时全部进程重启的次数</translation>
    </message>
    <message>
        <source>How often the scaling factor is computed</source>
        <translation>计算缩放因子的频率</translation>
    </message>
    <message>
        <source>How the machines find each other: `static`, `c10d` or another of torchrun&apos;s</source>
        <translation>机器之间如何发现彼此：`static`、`c10d` 或 torchrun 的其他方式</translation>
    </message>
    <message>
        <source>How the machines find each other: static, c10d, etcd</source>
        <translation>机器之间如何发现彼此：static、c10d、etcd</translation>
    </message>
    <message>
        <source>How the work is spread over processes and devices</source>
        <translation>工作如何分配到进程和设备</translation>
    </message>
    <message>
        <source>Huawei Ascend</source>
        <translation>华为昇腾</translation>
    </message>
    <message>
        <source>Hybrid</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Hybrid, ZeRO-2</source>
        <translation>混合，ZeRO-2</translation>
    </message>
    <message>
        <source>IAM role</source>
        <translation>IAM 角色</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>In ECR, with its tag</source>
        <translation>在 ECR 中，带标签</translation>
    </message>
    <message>
        <source>In higher precision than FP8</source>
        <translation>以高于 FP8 的精度</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>Input channels</source>
        <translation>输入通道</translation>
    </message>
    <message>
        <source>Input gradient</source>
        <translation>输入梯度</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Instance type</source>
        <translation>实例类型</translation>
    </message>
    <message>
        <source>Intel GPUs</source>
        <translation>Intel GPU</translation>
    </message>
    <message>
        <source>Intel Gaudi</source>
        <translation>Intel Gaudi</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>It must be allowed to use SageMaker, S3, ECR and logs</source>
        <translation>必须有权使用 SageMaker、S3、ECR 和日志</translation>
    </message>
    <message>
        <source>It must be installed where the training runs</source>
        <translation>必须安装在训练运行的地方</translation>
    </message>
    <message>
        <source>Job name</source>
        <translation>作业名</translation>
    </message>
    <message>
        <source>Keep each process on the processor cores that are next to its device</source>
        <translation>将每个进程固定在靠近其设备的处理器核心上</translation>
    </message>
    <message>
        <source>Keep optimizer state and main parameters in formats of fewer bits</source>
        <translation>以较少位数的格式保存优化器状态和主参数</translation>
    </message>
    <message>
        <source>Keep parameters and gradients in the main memory; much slower</source>
        <translation>将参数和梯度保存在主内存中；慢得多</translation>
    </message>
    <message>
        <source>Keep the activations that checkpointing saves in the main memory</source>
        <translation>将 checkpoint 保存的激活放在主内存中</translation>
    </message>
    <message>
        <source>Keep the optimizer state in the main memory and step there</source>
        <translation>将优化器状态保存在主内存中并在那里更新</translation>
    </message>
    <message>
        <source>Kind of device to train on: cpu, cuda, or the one that a library brings, e.g. npu</source>
        <translation>训练所用设备的类型：cpu、cuda，或由库提供的类型，例如 npu</translation>
    </message>
    <message>
        <source>Largest model on this machine</source>
        <translation>本机可训练的最大模型</translation>
    </message>
    <message>
        <source>Largest norm of the gradient; 0 is off</source>
        <translation>梯度的最大范数；0 为关闭</translation>
    </message>
    <message>
        <source>Largest norm of the gradient; `auto` leaves it to the script</source>
        <translation>梯度的最大范数；`auto` 由脚本决定</translation>
    </message>
    <message>
        <source>Largest value of the history, or the newest one</source>
        <translation>历史中的最大值，或最新值</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Layer classes</source>
        <translation>层的类</translation>
    </message>
    <message>
        <source>Layers in the last pipeline stage; without it all stages have as many</source>
        <translation>最后一个流水线阶段的层数；不填则各阶段相同</translation>
    </message>
    <message>
        <source>Layers of a group (`uniform`) or of a stage (`block`)</source>
        <translation>一组（`uniform`）或一个阶段（`block`）的层数</translation>
    </message>
    <message>
        <source>Layers of the last stage</source>
        <translation>最后阶段的层数</translation>
    </message>
    <message>
        <source>Least parameters</source>
        <translation>最少参数量</translation>
    </message>
    <message>
        <source>Leave nothing of a program&apos;s run behind: no logs, no curves</source>
        <translation>程序运行后不留下任何内容：没有日志，没有曲线</translation>
    </message>
    <message>
        <source>Leave the optimizer state out when a checkpoint is loaded</source>
        <translation>加载 checkpoint 时不含优化器状态</translation>
    </message>
    <message>
        <source>Leave the optimizer state out when a checkpoint is saved</source>
        <translation>保存 checkpoint 时不含优化器状态</translation>
    </message>
    <message>
        <source>Leave the token that ends a document out of the loss</source>
        <translation>损失中不计文档结尾的 token</translation>
    </message>
    <message>
        <source>Length changes</source>
        <translation>长度变化</translation>
    </message>
    <message>
        <source>Length of all sequences, where it does not change; a multiple of the sequence-parallel size</source>
        <translation>所有序列的长度（不变时）；为序列并行大小的倍数</translation>
    </message>
    <message>
        <source>Less memory for little time</source>
        <translation>以少量时间节省内存</translation>
    </message>
    <message>
        <source>Let Megatron choose the attention kernel (flash, fused, unfused)</source>
        <translation>由 Megatron 选择注意力内核（flash、fused、unfused）</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Limits the global norm</source>
        <translation>限制全局范数</translation>
    </message>
    <message>
        <source>Linear layers without FP8</source>
        <translation>不使用 FP8 的线性层</translation>
    </message>
    <message>
        <source>Lines such as `gpu-a slots=8`</source>
        <translation>形如 `gpu-a slots=8` 的行</translation>
    </message>
    <message>
        <source>Load once</source>
        <translation>加载一次</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>本地</translation>
    </message>
    <message>
        <source>Log folder</source>
        <translation>日志文件夹</translation>
    </message>
    <message>
        <source>Longer is steadier</source>
        <translation>越长越稳定</translation>
    </message>
    <message>
        <source>Look at everything on all machines that a start needs, print it as a table, start nothing</source>
        <translation>查看所有机器上启动所需的一切并以表格输出，不启动任何进程</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Loss per token</source>
        <translation>每 token 的损失</translation>
    </message>
    <message>
        <source>MLU ids</source>
        <translation>MLU 编号</translation>
    </message>
    <message>
        <source>MUSA ids</source>
        <translation>MUSA 编号</translation>
    </message>
    <message>
        <source>Machine rank</source>
        <translation>机器 rank</translation>
    </message>
    <message>
        <source>Machine type</source>
        <translation>机器类型</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Machines that take part</source>
        <translation>参与的机器</translation>
    </message>
    <message>
        <source>Main address</source>
        <translation>主地址</translation>
    </message>
    <message>
        <source>Main function</source>
        <translation>主函数</translation>
    </message>
    <message>
        <source>Main port</source>
        <translation>主端口</translation>
    </message>
    <message>
        <source>Many CPUs</source>
        <translation>多个 CPU</translation>
    </message>
    <message>
        <source>Many GPUs</source>
        <translation>多个 GPU</translation>
    </message>
    <message>
        <source>Many HPUs</source>
        <translation>多个 HPU</translation>
    </message>
    <message>
        <source>Many MLUs</source>
        <translation>多个 MLU</translation>
    </message>
    <message>
        <source>Many MUSAs</source>
        <translation>多个 MUSA</translation>
    </message>
    <message>
        <source>Many NPUs</source>
        <translation>多个 NPU</translation>
    </message>
    <message>
        <source>Many Neuron cores</source>
        <translation>多个 Neuron 核心</translation>
    </message>
    <message>
        <source>Many SDAAs</source>
        <translation>多个 SDAA</translation>
    </message>
    <message>
        <source>Many XPUs</source>
        <translation>多个 XPU</translation>
    </message>
    <message>
        <source>Many hosts</source>
        <translation>多台主机</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>Megatron&apos;s FSDP</source>
        <translation>Megatron 的 FSDP</translation>
    </message>
    <message>
        <source>Megatron-LM</source>
        <translation>Megatron-LM</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>设备网格</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Metrics are usually better without</source>
        <translation>不启用时指标通常更好</translation>
    </message>
    <message>
        <source>Micro batches</source>
        <translation>micro-batch</translation>
    </message>
    <message>
        <source>Micro batches of one optimizer step</source>
        <translation>一个优化器步中的 micro-batch</translation>
    </message>
    <message>
        <source>Micro steps whose gradients make one optimizer step; `auto` leaves it to the script</source>
        <translation>梯度合为一个优化器步的微步数；`auto` 由脚本决定</translation>
    </message>
    <message>
        <source>Microsoft</source>
        <translation>微软</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>Mixture-of-experts layers</source>
        <translation>混合专家层</translation>
    </message>
    <message>
        <source>MoE layers</source>
        <translation>MoE 层</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Mode, full graph, dynamic shapes, regions</source>
        <translation>模式、完整图、动态形状、区域</translation>
    </message>
    <message>
        <source>Model&apos;s own layers</source>
        <translation>模型自己的层</translation>
    </message>
    <message>
        <source>Models of transformers name theirs</source>
        <translation>transformers 的模型会给出</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Modules left out</source>
        <translation>排除的模块</translation>
    </message>
    <message>
        <source>Modules with at least so many parameters are units</source>
        <translation>参数量不少于此值的模块作为单元</translation>
    </message>
    <message>
        <source>Moore Threads</source>
        <translation>摩尔线程</translation>
    </message>
    <message>
        <source>More arguments</source>
        <translation>其他参数</translation>
    </message>
    <message>
        <source>More fill the pipeline better</source>
        <translation>越多越能填满流水线</translation>
    </message>
    <message>
        <source>More than 1 for training across hosts</source>
        <translation>跨主机训练时大于 1</translation>
    </message>
    <message>
        <source>Move gradients and parameters while the optimizer on the CPU steps</source>
        <translation>CPU 上的优化器更新时传输梯度和参数</translation>
    </message>
    <message>
        <source>Much shorter compilation for stacked layers</source>
        <translation>对堆叠的层编译时间短得多</translation>
    </message>
    <message>
        <source>NAME=value, with commas</source>
        <translation>NAME=value，以逗号分隔</translation>
    </message>
    <message>
        <source>NEURON cores</source>
        <translation>NEURON 核心</translation>
    </message>
    <message>
        <source>NPU ids</source>
        <translation>NPU 编号</translation>
    </message>
    <message>
        <source>NUMA affinity</source>
        <translation>NUMA 亲和性</translation>
    </message>
    <message>
        <source>NVMe disk</source>
        <translation>NVMe 磁盘</translation>
    </message>
    <message>
        <source>NVMe for the optimizer state</source>
        <translation>优化器状态用的 NVMe</translation>
    </message>
    <message>
        <source>NVMe for the parameters</source>
        <translation>参数用的 NVMe</translation>
    </message>
    <message>
        <source>Name of a function of the script</source>
        <translation>脚本中函数的名称</translation>
    </message>
    <message>
        <source>Name of the TPU in Google Cloud</source>
        <translation>Google Cloud 中 TPU 的名称</translation>
    </message>
    <message>
        <source>Name of the profile in ~/.aws; without it, an access key is needed</source>
        <translation>~/.aws 中配置文件的名称；没有则需要访问密钥</translation>
    </message>
    <message>
        <source>Name of the workers in torchrun&apos;s messages</source>
        <translation>torchrun 消息中 worker 的名称</translation>
    </message>
    <message>
        <source>Name under which the machines of a job find each other</source>
        <translation>作业的各机器用来彼此发现的名称</translation>
    </message>
    <message>
        <source>Named nodes</source>
        <translation>指定节点</translation>
    </message>
    <message>
        <source>Names of the machines of a TPU pod</source>
        <translation>TPU pod 各机器的名称</translation>
    </message>
    <message>
        <source>Names the machines, one a line</source>
        <translation>每行一个机器名</translation>
    </message>
    <message>
        <source>Needed for different learning rates and torch.compile</source>
        <translation>使用不同学习率和 torch.compile 时需要</translation>
    </message>
    <message>
        <source>Needed when processes could start with different weights</source>
        <translation>进程可能以不同权重开始时需要</translation>
    </message>
    <message>
        <source>Neuron core ids</source>
        <translation>Neuron 核心编号</translation>
    </message>
    <message>
        <source>No Python</source>
        <translation>不用 Python</translation>
    </message>
    <message>
        <source>No loss at document ends</source>
        <translation>文档结尾不计损失</translation>
    </message>
    <message>
        <source>No pod</source>
        <translation>非 pod</translation>
    </message>
    <message>
        <source>No requeue</source>
        <translation>不重新排队</translation>
    </message>
    <message>
        <source>No run folder</source>
        <translation>无运行文件夹</translation>
    </message>
    <message>
        <source>No when they are in different networks or in a cloud</source>
        <translation>位于不同网络或云中时选否</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nodes of the job</source>
        <translation>作业的节点</translation>
    </message>
    <message>
        <source>Nodes that the job must have</source>
        <translation>作业必须使用的节点</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Not ahead</source>
        <translation>不预取</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>完全不</translation>
    </message>
    <message>
        <source>Not its ARN</source>
        <translation>不是其 ARN</translation>
    </message>
    <message>
        <source>Not on all workers of a pod: what a pod&apos;s worker is started with</source>
        <translation>不在 pod 的所有 worker 上：用于启动 pod 中单个 worker</translation>
    </message>
    <message>
        <source>Nowhere</source>
        <translation>不卸载</translation>
    </message>
    <message>
        <source>Number format of the computation; weights stay in their own format</source>
        <translation>计算的数值格式；权重保持各自格式</translation>
    </message>
    <message>
        <source>Number format of the matrix products</source>
        <translation>矩阵乘法的数值格式</translation>
    </message>
    <message>
        <source>Number of this machine</source>
        <translation>本机的编号</translation>
    </message>
    <message>
        <source>O1: FP8 gradients, O2: also FP8 optimizer state</source>
        <translation>O1：FP8 梯度，O2：优化器状态也用 FP8</translation>
    </message>
    <message>
        <source>O2 keeps optimizer states in 8 bits too</source>
        <translation>O2 的优化器状态也用 8 位</translation>
    </message>
    <message>
        <source>Of that EC2 type</source>
        <translation>该 EC2 类型的</translation>
    </message>
    <message>
        <source>Offload to the CPU</source>
        <translation>卸载到 CPU</translation>
    </message>
    <message>
        <source>On TPU with bf16: also compute double precision in bf16; else double becomes single precision</source>
        <translation>TPU 上使用 bf16 时：双精度也以 bf16 计算；否则双精度变为单精度</translation>
    </message>
    <message>
        <source>On a fast local disk</source>
        <translation>在快速的本地磁盘上</translation>
    </message>
    <message>
        <source>On machines of one&apos;s own or on Amazon SageMaker</source>
        <translation>在自有机器上或在 Amazon SageMaker 中</translation>
    </message>
    <message>
        <source>One GPU</source>
        <translation>单个 GPU</translation>
    </message>
    <message>
        <source>One a line</source>
        <translation>每行一个</translation>
    </message>
    <message>
        <source>One device</source>
        <translation>单个设备</translation>
    </message>
    <message>
        <source>One graph</source>
        <translation>单一图</translation>
    </message>
    <message>
        <source>One network</source>
        <translation>同一网络</translation>
    </message>
    <message>
        <source>One process for each accelerator, of any maker</source>
        <translation>每个加速器一个进程，不限厂商</translation>
    </message>
    <message>
        <source>One process for each device, counted over all machines</source>
        <translation>每个设备一个进程，按所有机器合计</translation>
    </message>
    <message>
        <source>One process on one GPU, bf16</source>
        <translation>单个 GPU 上一个进程，bf16</translation>
    </message>
    <message>
        <source>One scale per block of 32 values (MXFP8)</source>
        <translation>每 32 个值一块共用一个缩放（MXFP8）</translation>
    </message>
    <message>
        <source>One that exists</source>
        <translation>已存在的</translation>
    </message>
    <message>
        <source>Only for models whose order never changes</source>
        <translation>仅用于顺序从不变化的模型</translation>
    </message>
    <message>
        <source>Only the first process reads the weights, the others receive them; saves main memory</source>
        <translation>仅第一个进程读取权重，其余进程接收；节省主内存</translation>
    </message>
    <message>
        <source>Open MPI</source>
        <translation>Open MPI</translation>
    </message>
    <message>
        <source>Optimisation level</source>
        <translation>优化级别</translation>
    </message>
    <message>
        <source>Optimizer folder</source>
        <translation>优化器文件夹</translation>
    </message>
    <message>
        <source>Optimizer offload</source>
        <translation>优化器卸载</translation>
    </message>
    <message>
        <source>Optimizer on the CPU</source>
        <translation>优化器在 CPU 上</translation>
    </message>
    <message>
        <source>Optimizer state in</source>
        <translation>优化器状态位于</translation>
    </message>
    <message>
        <source>Original parameters</source>
        <translation>原始参数</translation>
    </message>
    <message>
        <source>Output that goes to the log folder only: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`</source>
        <translation>只写入日志文件夹的输出：0 无，1 stdout，2 stderr，3 两者，或 `rank:number,...`</translation>
    </message>
    <message>
        <source>Output that is shown as well as logged: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`</source>
        <translation>既显示又记录的输出：0 无，1 stdout，2 stderr，3 两者，或 `rank:number,...`</translation>
    </message>
    <message>
        <source>Overlap transfers</source>
        <translation>重叠传输</translation>
    </message>
    <message>
        <source>Own compile options</source>
        <translation>自定义编译选项</translation>
    </message>
    <message>
        <source>Pad</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Pad inner dimension</source>
        <translation>填充内部维度</translation>
    </message>
    <message>
        <source>Parameter folder</source>
        <translation>参数文件夹</translation>
    </message>
    <message>
        <source>Parameter offload</source>
        <translation>参数卸载</translation>
    </message>
    <message>
        <source>Parameters in</source>
        <translation>参数位于</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Partition of the cluster</source>
        <translation>集群的分区</translation>
    </message>
    <message>
        <source>Parts of a batch on their way in the pipeline</source>
        <translation>流水线中传递的批次分块</translation>
    </message>
    <message>
        <source>Pins processes to the cores beside their GPU; NVIDIA only</source>
        <translation>将进程绑定到其 GPU 旁的核心；仅限 NVIDIA</translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>Place of this machine among all, from 0; the machine with 0 hosts the main process</source>
        <translation>本机在所有机器中的序号，从 0 开始；0 号机器承载主进程</translation>
    </message>
    <message>
        <source>Port of the main machine</source>
        <translation>主机器的端口</translation>
    </message>
    <message>
        <source>Port on which the processes meet; 0 picks a free one</source>
        <translation>进程会合的端口；0 表示选择空闲端口</translation>
    </message>
    <message>
        <source>Powers of two by which the scale stays below the largest value</source>
        <translation>缩放低于最大值的 2 的幂次</translation>
    </message>
    <message>
        <source>Powers of two kept free above the largest value</source>
        <translation>最大值之上保留的 2 的幂次</translation>
    </message>
    <message>
        <source>Precision-aware optimizer</source>
        <translation>精度感知优化器</translation>
    </message>
    <message>
        <source>Print for programs</source>
        <translation>供程序读取的输出</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Processes of a node</source>
        <translation>每个节点的进程</translation>
    </message>
    <message>
        <source>Processes of this machine whose output is shown, as in `0,2`; without it all</source>
        <translation>显示其输出的本机进程，例如 `0,2`；不填则全部</translation>
    </message>
    <message>
        <source>Processes on each node of the job</source>
        <translation>作业中每个节点的进程数</translation>
    </message>
    <message>
        <source>Processes over all machines together, one for each device</source>
        <translation>所有机器的进程总数，每个设备一个</translation>
    </message>
    <message>
        <source>Processes that parameters are sharded over</source>
        <translation>切分参数的进程数</translation>
    </message>
    <message>
        <source>Processes that share a matrix product</source>
        <translation>共同计算一个矩阵乘法的进程数</translation>
    </message>
    <message>
        <source>Processes that share each expert</source>
        <translation>共享每个专家的进程数</translation>
    </message>
    <message>
        <source>Processes that share each layer</source>
        <translation>共享每一层的进程数</translation>
    </message>
    <message>
        <source>Processes that share each sequence</source>
        <translation>共享每个序列的进程数</translation>
    </message>
    <message>
        <source>Processes that share each sequence by ring attention</source>
        <translation>以环形注意力共享每个序列的进程数</translation>
    </message>
    <message>
        <source>Processes that share each sequence, with attention split by heads (Ulysses)</source>
        <translation>共享每个序列、按头切分注意力（Ulysses）的进程数</translation>
    </message>
    <message>
        <source>Processes that the experts are spread over</source>
        <translation>分布专家的进程数</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>配置文件</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python scripts only; the bundled engine needs no compiler</source>
        <translation>仅限 Python 脚本；内置引擎不需要编译器</translation>
    </message>
    <message>
        <source>Quality of service</source>
        <translation>服务质量</translation>
    </message>
    <message>
        <source>Quality of service of the job</source>
        <translation>作业的服务质量</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Quiet</source>
        <translation>安静</translation>
    </message>
    <message>
        <source>RAM-efficient loading</source>
        <translation>节省内存的加载</translation>
    </message>
    <message>
        <source>Recipe key</source>
        <translation>配方键</translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation>重新计算激活</translation>
    </message>
    <message>
        <source>Recompute how</source>
        <translation>重新计算方式</translation>
    </message>
    <message>
        <source>Recompute layers</source>
        <translation>重新计算层</translation>
    </message>
    <message>
        <source>Recompute what</source>
        <translation>重新计算内容</translation>
    </message>
    <message>
        <source>Recomputes activations: less memory, a third more time</source>
        <translation>重新计算激活：内存更少，时间多三分之一</translation>
    </message>
    <message>
        <source>Redirected output</source>
        <translation>重定向的输出</translation>
    </message>
    <message>
        <source>Refuse models that do not compile as one graph</source>
        <translation>拒绝不能编译为单一图的模型</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>Regional compilation</source>
        <translation>区域编译</translation>
    </message>
    <message>
        <source>Regular expression; modules whose whole name matches are not sharded</source>
        <translation>正则表达式；全名匹配的模块不分片</translation>
    </message>
    <message>
        <source>Rendezvous</source>
        <translation>会合</translation>
    </message>
    <message>
        <source>Rendezvous name</source>
        <translation>会合名称</translation>
    </message>
    <message>
        <source>Rendezvous settings</source>
        <translation>会合设置</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>Replicas, shards, tensor and context parallelism together</source>
        <translation>副本、分片、张量并行与上下文并行结合</translation>
    </message>
    <message>
        <source>Reshard after forward</source>
        <translation>前向后重新分片</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>重启</translation>
    </message>
    <message>
        <source>Return as soon as the processes run</source>
        <translation>进程运行后立即返回</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Role name</source>
        <translation>角色名称</translation>
    </message>
    <message>
        <source>Role that SageMaker works with</source>
        <translation>SageMaker 使用的角色</translation>
    </message>
    <message>
        <source>Rotary positions</source>
        <translation>旋转位置</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Run the commands on the pod&apos;s workers with sudo</source>
        <translation>在 pod 的 worker 上以 sudo 运行命令</translation>
    </message>
    <message>
        <source>SDAA ids</source>
        <translation>SDAA 编号</translation>
    </message>
    <message>
        <source>SageMaker&apos;s own data parallelism</source>
        <translation>SageMaker 自己的数据并行</translation>
    </message>
    <message>
        <source>Same network</source>
        <translation>同一网络</translation>
    </message>
    <message>
        <source>Save 16-bit weights</source>
        <translation>保存 16 位权重</translation>
    </message>
    <message>
        <source>Scale from</source>
        <translation>缩放取自</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Seconds between two looks at the processes</source>
        <translation>两次查看进程之间的秒数</translation>
    </message>
    <message>
        <source>Secret key</source>
        <translation>私密密钥</translation>
    </message>
    <message>
        <source>Secret key of AWS; everybody on this machine sees it among the processes, so better use a profile</source>
        <translation>AWS 私密密钥；本机所有人都能在进程列表中看到，最好使用配置文件</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Sequence-parallel library</source>
        <translation>序列并行库</translation>
    </message>
    <message>
        <source>Sequences differ in length from batch to batch</source>
        <translation>各批次的序列长度不同</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <source>Settings of the rendezvous, as in `timeout=900,read=60`</source>
        <translation>会合的设置，例如 `timeout=900,read=60`</translation>
    </message>
    <message>
        <source>Several devices</source>
        <translation>多个设备</translation>
    </message>
    <message>
        <source>Shard parameters with Megatron&apos;s own FSDP</source>
        <translation>使用 Megatron 自己的 FSDP 切分参数</translation>
    </message>
    <message>
        <source>Sharded</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Sharded is faster; full is one file</source>
        <translation>分片更快；完整则为一个文件</translation>
    </message>
    <message>
        <source>Sharding strategy</source>
        <translation>分片策略</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>分片数</translation>
    </message>
    <message>
        <source>Shards optimizer states over data-parallel processes</source>
        <translation>在数据并行进程间切分优化器状态</translation>
    </message>
    <message>
        <source>Shards optimizer states, gradients and weights; offloads them</source>
        <translation>切分优化器状态、梯度和权重；可卸载</translation>
    </message>
    <message>
        <source>Share of attention weights left out</source>
        <translation>丢弃的注意力权重比例</translation>
    </message>
    <message>
        <source>Share of hidden values left out</source>
        <translation>丢弃的隐藏值比例</translation>
    </message>
    <message>
        <source>Shared library that brings a device to LibTorch (a PrivateUse1 back end); else TRAINYARD_DEVICE_LIBRARY</source>
        <translation>为 LibTorch 提供设备的共享库（PrivateUse1 后端）；否则取 TRAINYARD_DEVICE_LIBRARY</translation>
    </message>
    <message>
        <source>Show output</source>
        <translation>显示输出</translation>
    </message>
    <message>
        <source>Show the optimizer the model&apos;s own parameters, so that groups and frozen layers work</source>
        <translation>让优化器看到模型自己的参数，使参数组和冻结层可用</translation>
    </message>
    <message>
        <source>Shown processes</source>
        <translation>显示的进程</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Softmax in fp32</source>
        <translation>fp32 的 softmax</translation>
    </message>
    <message>
        <source>Splits norms and dropout along the sequence</source>
        <translation>沿序列切分归一化和 dropout</translation>
    </message>
    <message>
        <source>Spread norms and dropout over the tensor-parallel processes</source>
        <translation>将归一化和 dropout 分布到张量并行进程</translation>
    </message>
    <message>
        <source>Spread the optimizer state over the data-parallel processes</source>
        <translation>将优化器状态分布到数据并行进程</translation>
    </message>
    <message>
        <source>Stages that the layers are spread over</source>
        <translation>分布各层的阶段数</translation>
    </message>
    <message>
        <source>Start-up commands</source>
        <translation>启动命令</translation>
    </message>
    <message>
        <source>State dict</source>
        <translation>状态字典</translation>
    </message>
    <message>
        <source>Steps between two computations of the scale</source>
        <translation>两次计算缩放之间的步数</translation>
    </message>
    <message>
        <source>Steps whose largest values decide the scale</source>
        <translation>由其最大值决定缩放的步数</translation>
    </message>
    <message>
        <source>Stored with its full path</source>
        <translation>以完整路径保存</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Sync module states</source>
        <translation>同步模块状态</translation>
    </message>
    <message>
        <source>TPU cluster</source>
        <translation>TPU 集群</translation>
    </message>
    <message>
        <source>TPU environment</source>
        <translation>TPU 环境</translation>
    </message>
    <message>
        <source>TPU machines</source>
        <translation>TPU 机器</translation>
    </message>
    <message>
        <source>TPU name</source>
        <translation>TPU 名称</translation>
    </message>
    <message>
        <source>TPU pod</source>
        <translation>TPU pod</translation>
    </message>
    <message>
        <source>TPU zone</source>
        <translation>TPU 可用区</translation>
    </message>
    <message>
        <source>TSV file with a header: channel name and location of the data</source>
        <translation>带表头的 TSV 文件：通道名称和数据位置</translation>
    </message>
    <message>
        <source>TSV file with a header: metric name and regular expression</source>
        <translation>带表头的 TSV 文件：指标名称和正则表达式</translation>
    </message>
    <message>
        <source>Tecorigin</source>
        <translation>太初元碁</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Tensor parallel of experts</source>
        <translation>专家的张量并行</translation>
    </message>
    <message>
        <source>Tensor, pipeline and sequence parallelism of Megatron</source>
        <translation>Megatron 的张量、流水线和序列并行</translation>
    </message>
    <message>
        <source>The TPU is a pod; the launch goes to all its workers</source>
        <translation>TPU 是一个 pod；启动发往其所有 worker</translation>
    </message>
    <message>
        <source>The firewalls between the machines must let it through</source>
        <translation>机器之间的防火墙必须放行</translation>
    </message>
    <message>
        <source>The largest or the most recent one</source>
        <translation>最大的或最新的</translation>
    </message>
    <message>
        <source>The product needs multiples of 16; costs memory</source>
        <translation>乘法需要 16 的倍数；占用内存</translation>
    </message>
    <message>
        <source>The program is a Python module, as with python -m</source>
        <translation>程序是 Python 模块，同 python -m</translation>
    </message>
    <message>
        <source>The program is executed itself, without Python</source>
        <translation>直接执行程序本身，不用 Python</translation>
    </message>
    <message>
        <source>The run&apos;s own folder, new or empty; else a new one in TRAINYARD_RUNS</source>
        <translation>运行自己的文件夹，新的或空的；否则在 TRAINYARD_RUNS 中新建</translation>
    </message>
    <message>
        <source>The same from a file: one `name slots=4` a line, as DeepSpeed reads it</source>
        <translation>同上，取自文件：每行一个 `name slots=4`，与 DeepSpeed 的格式相同</translation>
    </message>
    <message>
        <source>Then it says everything and the next questions are skipped</source>
        <translation>此时以其为准，后续问题略过</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This machine and others you reach, or jobs in Amazon SageMaker</source>
        <translation>本机及可访问的其他机器，或 Amazon SageMaker 中的作业</translation>
    </message>
    <message>
        <source>Threads for the processor&apos;s part of the work; without it the cores are shared out</source>
        <translation>处理器部分工作的线程数；不填则平分核心</translation>
    </message>
    <message>
        <source>Threads of a process</source>
        <translation>每个进程的线程</translation>
    </message>
    <message>
        <source>Threads of oneCCL per process; no longer read</source>
        <translation>每个进程的 oneCCL 线程数；已不再读取</translation>
    </message>
    <message>
        <source>Three truth values: forward, gradient of the input, gradient of the weight in higher precision</source>
        <translation>三个布尔值：前向、输入梯度、权重梯度是否使用更高精度</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time limit of the job, as in 1-12:00:00</source>
        <translation>作业的时限，例如 1-12:00:00</translation>
    </message>
    <message>
        <source>Train on a TPU</source>
        <translation>在 TPU 上训练</translation>
    </message>
    <message>
        <source>Train on a mesh of several kinds of parallelism</source>
        <translation>在多种并行方式组成的设备网格上训练</translation>
    </message>
    <message>
        <source>Train on the CPU even where an accelerator is</source>
        <translation>即使有加速器也在 CPU 上训练</translation>
    </message>
    <message>
        <source>Train on the CPU; the default settings file is not read</source>
        <translation>在 CPU 上训练；不读取默认设置文件</translation>
    </message>
    <message>
        <source>Train with DeepSpeed</source>
        <translation>使用 DeepSpeed 训练</translation>
    </message>
    <message>
        <source>Train with Megatron-LM</source>
        <translation>使用 Megatron-LM 训练</translation>
    </message>
    <message>
        <source>Train with fully sharded data parallelism</source>
        <translation>使用完全分片数据并行（FSDP）训练</translation>
    </message>
    <message>
        <source>Training function</source>
        <translation>训练函数</translation>
    </message>
    <message>
        <source>Transformer Engine</source>
        <translation>Transformer Engine</translation>
    </message>
    <message>
        <source>Transformers</source>
        <translation>Transformers</translation>
    </message>
    <message>
        <source>Two machines with GPUs; their number, address and processes are yours to say</source>
        <translation>两台带 GPU 的机器；数量、地址和进程数由您填写</translation>
    </message>
    <message>
        <source>Two processes on the CPU: finds out whether a script runs distributed, without a GPU</source>
        <translation>CPU 上两个进程：无需 GPU 即可检验脚本能否分布式运行</translation>
    </message>
    <message>
        <source>Types that SageMaker&apos;s data parallelism runs on</source>
        <translation>SageMaker 数据并行支持的类型</translation>
    </message>
    <message>
        <source>Unit size</source>
        <translation>单元大小</translation>
    </message>
    <message>
        <source>Use FP8 outside of training, too</source>
        <translation>训练之外也使用 FP8</translation>
    </message>
    <message>
        <source>Use mpirun</source>
        <translation>使用 mpirun</translation>
    </message>
    <message>
        <source>Use rotary position embeddings</source>
        <translation>使用旋转位置嵌入</translation>
    </message>
    <message>
        <source>Used by stage 3 only</source>
        <translation>仅阶段 3 使用</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Version of PyTorch in the container</source>
        <translation>容器中 PyTorch 的版本</translation>
    </message>
    <message>
        <source>Version of Python in the container, e.g. py38</source>
        <translation>容器中 Python 的版本，例如 py38</translation>
    </message>
    <message>
        <source>Version of Transformers in the container</source>
        <translation>容器中 Transformers 的版本</translation>
    </message>
    <message>
        <source>Wait until the runs queued before have started and the machine, or the GPUs, are free</source>
        <translation>等待先前排队的运行启动，且机器或 GPU 空闲</translation>
    </message>
    <message>
        <source>Way of training</source>
        <translation>训练方式</translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation>权重梯度</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer states, natively in PyTorch</source>
        <translation>权重、梯度和优化器状态，PyTorch 原生支持</translation>
    </message>
    <message>
        <source>What becomes a unit of sharding: given layer classes, modules above a size, or the whole model</source>
        <translation>分片单元的划分：指定的层类、超过某大小的模块，或整个模型</translation>
    </message>
    <message>
        <source>What is sharded over the processes</source>
        <translation>在进程间切分的内容</translation>
    </message>
    <message>
        <source>What is sharded, and over which processes</source>
        <translation>切分什么，以及切分到哪些进程</translation>
    </message>
    <message>
        <source>What is spread over the processes: 0 nothing, 1 optimizer state, 2 also gradients, 3 also parameters (recipes: 0 to 2)</source>
        <translation>在进程间切分的内容：0 无，1 优化器状态，2 加上梯度，3 再加上参数（配方：0 到 2）</translation>
    </message>
    <message>
        <source>What is spread over the processes: parameters, gradients and optimizer state, or less</source>
        <translation>在进程间切分的内容：参数、梯度和优化器状态，或更少</translation>
    </message>
    <message>
        <source>What the compiler optimises for</source>
        <translation>编译器的优化目标</translation>
    </message>
    <message>
        <source>What the compiler spends its time on</source>
        <translation>编译器把时间花在哪里</translation>
    </message>
    <message>
        <source>What the processes of a run compute on</source>
        <translation>运行的进程在什么设备上计算</translation>
    </message>
    <message>
        <source>When the next parameters are gathered in the backward pass</source>
        <translation>反向传播中何时聚合后续参数</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>运行位置</translation>
    </message>
    <message>
        <source>Where the jobs run</source>
        <translation>作业运行的位置</translation>
    </message>
    <message>
        <source>Where the optimizer state is kept: `none` leaves it on the device</source>
        <translation>优化器状态的位置：`none` 表示留在设备上</translation>
    </message>
    <message>
        <source>Where the parameters are kept: `none` leaves them on the device</source>
        <translation>参数的位置：`none` 表示留在设备上</translation>
    </message>
    <message>
        <source>Who splits the context</source>
        <translation>由谁切分上下文</translation>
    </message>
    <message>
        <source>Who splits the sequence</source>
        <translation>由谁切分序列</translation>
    </message>
    <message>
        <source>Whole checkpoints of rank 0, or one part of each process</source>
        <translation>由 rank 0 保存完整 checkpoint，或每个进程保存一部分</translation>
    </message>
    <message>
        <source>With FSDP 2: gather parameters as FP8</source>
        <translation>使用 FSDP 2 时：以 FP8 聚合参数</translation>
    </message>
    <message>
        <source>With commas, upper and lower case as in the model</source>
        <translation>以逗号分隔，大小写与模型一致</translation>
    </message>
    <message>
        <source>With commas, upper and lower case as in the model: LlamaDecoderLayer</source>
        <translation>以逗号分隔，大小写与模型一致：LlamaDecoderLayer</translation>
    </message>
    <message>
        <source>With commas; nothing for an instance group</source>
        <translation>以逗号分隔；实例组则留空</translation>
    </message>
    <message>
        <source>With keys, launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY</source>
        <translation>使用密钥时，launch 读取 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY</translation>
    </message>
    <message>
        <source>With sudo</source>
        <translation>使用 sudo</translation>
    </message>
    <message>
        <source>Without optimizer when loading</source>
        <translation>加载时不含优化器</translation>
    </message>
    <message>
        <source>Without optimizer when saving</source>
        <translation>保存时不含优化器</translation>
    </message>
    <message>
        <source>Wrap policy</source>
        <translation>包装策略</translation>
    </message>
    <message>
        <source>Wrapping</source>
        <translation>包装</translation>
    </message>
    <message>
        <source>Write a bash script that starts the same processes where no Trainyard is, as in a notebook; start nothing</source>
        <translation>写出一个 bash 脚本，在没有 Trainyard 的地方（如 notebook）启动相同进程；不启动任何进程</translation>
    </message>
    <message>
        <source>XLA devices</source>
        <translation>XLA 设备</translation>
    </message>
    <message>
        <source>XPU ids</source>
        <translation>XPU 编号</translation>
    </message>
    <message>
        <source>Yes saves memory (ZeRO-3), no saves traffic (ZeRO-2)</source>
        <translation>是则节省内存（ZeRO-3），否则节省通信（ZeRO-2）</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>ZeRO-3 with offload</source>
        <translation>带卸载的 ZeRO-3</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>可用区</translation>
    </message>
    <message>
        <source>Zone of the TPU in Google Cloud</source>
        <translation>Google Cloud 中 TPU 所在的可用区</translation>
    </message>
    <message>
        <source>`all`, or the numbers of the devices of this machine, as in `0,2,3`</source>
        <translation>`all`，或本机设备的编号，例如 `0,2,3`</translation>
    </message>
    <message>
        <source>`all`, or the numbers of the devices, as in `0,2,3`</source>
        <translation>`all`，或设备的编号，例如 `0,2,3`</translation>
    </message>
    <message>
        <source>`full` computes whole layers again, `selective` only the attention</source>
        <translation>`full` 重新计算整个层，`selective` 只重新计算注意力</translation>
    </message>
    <message>
        <source>`uniform` groups all layers, `block` takes the first layers of each stage</source>
        <translation>`uniform` 对所有层分组，`block` 取每个阶段的前几层</translation>
    </message>
    <message>
        <source>a balance</source>
        <translation>折中</translation>
    </message>
    <message>
        <source>all, or their numbers with commas: 0,1</source>
        <translation>all，或以逗号分隔的编号：0,1</translation>
    </message>
    <message>
        <source>allgather collects all keys and values, alltoall passes them around</source>
        <translation>allgather 聚合所有 key 和 value，alltoall 轮流传递</translation>
    </message>
    <message>
        <source>and machines it works together with</source>
        <translation>以及与其协作的机器</translation>
    </message>
    <message>
        <source>as it lies on each rank</source>
        <translation>按各 rank 上的原样</translation>
    </message>
    <message>
        <source>backend is AO</source>
        <translation>backend 为 AO</translation>
    </message>
    <message>
        <source>backend is MSAMP</source>
        <translation>backend 为 MSAMP</translation>
    </message>
    <message>
        <source>backend is TE</source>
        <translation>backend 为 TE</translation>
    </message>
    <message>
        <source>distributed_type is DEEPSPEED</source>
        <translation>distributed_type 为 DEEPSPEED</translation>
    </message>
    <message>
        <source>distributed_type is FSDP</source>
        <translation>distributed_type 为 FSDP</translation>
    </message>
    <message>
        <source>distributed_type is FSDP with version 2, or DEEPSPEED</source>
        <translation>distributed_type 为 FSDP 版本 2，或 DEEPSPEED</translation>
    </message>
    <message>
        <source>distributed_type is MEGATRON_LM</source>
        <translation>distributed_type 为 MEGATRON_LM</translation>
    </message>
    <message>
        <source>distributed_type is MULTI_CPU</source>
        <translation>distributed_type 为 MULTI_CPU</translation>
    </message>
    <message>
        <source>distributed_type is XLA</source>
        <translation>distributed_type 为 XLA</translation>
    </message>
    <message>
        <source>dynamo_backend is not NO</source>
        <translation>dynamo_backend 不为 NO</translation>
    </message>
    <message>
        <source>each rank writes its share</source>
        <translation>每个 rank 写出自己的部分</translation>
    </message>
    <message>
        <source>everything in float32</source>
        <translation>全部使用 float32</translation>
    </message>
    <message>
        <source>fastest code, longest compilation</source>
        <translation>代码最快，编译最久</translation>
    </message>
    <message>
        <source>fastest, most memory</source>
        <translation>最快，占用内存最多</translation>
    </message>
    <message>
        <source>float8 all-gather</source>
        <translation>float8 all-gather</translation>
    </message>
    <message>
        <source>follows from RAM-efficient loading, and not in FSDP version 2</source>
        <translation>由节省内存的加载决定，FSDP 版本 2 中没有</translation>
    </message>
    <message>
        <source>follows from the machine type</source>
        <translation>由机器类型决定</translation>
    </message>
    <message>
        <source>from the environment when launching</source>
        <translation>启动时取自环境</translation>
    </message>
    <message>
        <source>fsdp_activation_checkpointing is true</source>
        <translation>fsdp_activation_checkpointing 为 true</translation>
    </message>
    <message>
        <source>fsdp_auto_wrap_policy is SIZE_BASED_WRAP</source>
        <translation>fsdp_auto_wrap_policy 为 SIZE_BASED_WRAP</translation>
    </message>
    <message>
        <source>fsdp_auto_wrap_policy is TRANSFORMER_BASED_WRAP</source>
        <translation>fsdp_auto_wrap_policy 为 TRANSFORMER_BASED_WRAP</translation>
    </message>
    <message>
        <source>fsdp_version is 1</source>
        <translation>fsdp_version 为 1</translation>
    </message>
    <message>
        <source>fsdp_version is 2</source>
        <translation>fsdp_version 为 2</translation>
    </message>
    <message>
        <source>full inside a machine, replicas across</source>
        <translation>单机内完全切分，跨机为副本</translation>
    </message>
    <message>
        <source>give its name</source>
        <translation>给出其名称</translation>
    </message>
    <message>
        <source>gradients and optimizer inside a machine</source>
        <translation>单机内的梯度和优化器</translation>
    </message>
    <message>
        <source>hosts the main process</source>
        <translation>承载主进程</translation>
    </message>
    <message>
        <source>inductor unless you know better</source>
        <translation>没有更好的选择时用 inductor</translation>
    </message>
    <message>
        <source>it does not train on the CPU</source>
        <translation>不在 CPU 上训练</translation>
    </message>
    <message>
        <source>jobs in the AWS cloud</source>
        <translation>AWS 云中的作业</translation>
    </message>
    <message>
        <source>key=value for the recipe, e.g. training.steps=100</source>
        <translation>配方的 key=value，例如 training.steps=100</translation>
    </message>
    <message>
        <source>least memory</source>
        <translation>内存最少</translation>
    </message>
    <message>
        <source>less memory, PyTorch 2.6 or newer</source>
        <translation>内存更少，需 PyTorch 2.6 或更新版本</translation>
    </message>
    <message>
        <source>megatron_lm_pp_degree is above 1</source>
        <translation>megatron_lm_pp_degree 大于 1</translation>
    </message>
    <message>
        <source>megatron_lm_tp_degree is above 1</source>
        <translation>megatron_lm_tp_degree 大于 1</translation>
    </message>
    <message>
        <source>mixed_precision is fp8</source>
        <translation>mixed_precision 为 fp8</translation>
    </message>
    <message>
        <source>needs a loss scale</source>
        <translation>需要损失缩放</translation>
    </message>
    <message>
        <source>newest GPUs with an FP8 library</source>
        <translation>最新 GPU 及 FP8 库</translation>
    </message>
    <message>
        <source>not for Amazon SageMaker</source>
        <translation>不适用于 Amazon SageMaker</translation>
    </message>
    <message>
        <source>not for CPUs, TPUs and Apple GPUs</source>
        <translation>不适用于 CPU、TPU 和 Apple GPU</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>num_machines is above 1</source>
        <translation>num_machines 大于 1</translation>
    </message>
    <message>
        <source>of ~/.aws</source>
        <translation>来自 ~/.aws</translation>
    </message>
    <message>
        <source>offload_optimizer_device is nvme</source>
        <translation>offload_optimizer_device 为 nvme</translation>
    </message>
    <message>
        <source>offload_param_device is nvme</source>
        <translation>offload_param_device 为 nvme</translation>
    </message>
    <message>
        <source>one device is one process</source>
        <translation>一个设备即一个进程</translation>
    </message>
    <message>
        <source>one device needs one machine only</source>
        <translation>一个设备只需一台机器</translation>
    </message>
    <message>
        <source>one file, gathered on rank 0</source>
        <translation>一个文件，聚合到 rank 0</translation>
    </message>
    <message>
        <source>one machine</source>
        <translation>一台机器</translation>
    </message>
    <message>
        <source>one process has no distributed operations</source>
        <translation>单个进程没有分布式操作</translation>
    </message>
    <message>
        <source>one process, nothing distributed</source>
        <translation>单个进程，不分布</translation>
    </message>
    <message>
        <source>one unit</source>
        <translation>一个单元</translation>
    </message>
    <message>
        <source>one unit for each transformer layer</source>
        <translation>每个 transformer 层一个单元</translation>
    </message>
    <message>
        <source>oneCCL workers</source>
        <translation>oneCCL worker</translation>
    </message>
    <message>
        <source>only for Amazon SageMaker</source>
        <translation>仅用于 Amazon SageMaker</translation>
    </message>
    <message>
        <source>only for DeepSpeed on several machines</source>
        <translation>仅用于多台机器上的 DeepSpeed</translation>
    </message>
    <message>
        <source>only for DeepSpeed on several machines, not with the standard launcher</source>
        <translation>仅用于多台机器上的 DeepSpeed，不含 standard 启动器</translation>
    </message>
    <message>
        <source>only for FP8 with MS-AMP</source>
        <translation>仅用于 MS-AMP 的 FP8</translation>
    </message>
    <message>
        <source>only for FP8 with Transformer Engine</source>
        <translation>仅用于 Transformer Engine 的 FP8</translation>
    </message>
    <message>
        <source>only for FP8 with torchao</source>
        <translation>仅用于 torchao 的 FP8</translation>
    </message>
    <message>
        <source>only for GPUs without DeepSpeed, FSDP and Megatron-LM</source>
        <translation>仅用于不含 DeepSpeed、FSDP 和 Megatron-LM 的 GPU</translation>
    </message>
    <message>
        <source>only for TPUs</source>
        <translation>仅用于 TPU</translation>
    </message>
    <message>
        <source>only for ZeRO stage 3</source>
        <translation>仅用于 ZeRO 阶段 3</translation>
    </message>
    <message>
        <source>only for ZeRO stages 2 and 3</source>
        <translation>仅用于 ZeRO 阶段 2 和 3</translation>
    </message>
    <message>
        <source>only for a TPU cluster</source>
        <translation>仅用于 TPU 集群</translation>
    </message>
    <message>
        <source>only for a distributed job</source>
        <translation>仅用于分布式作业</translation>
    </message>
    <message>
        <source>only for a job on one machine</source>
        <translation>仅用于单机作业</translation>
    </message>
    <message>
        <source>only for a role of your own</source>
        <translation>仅用于自定义角色</translation>
    </message>
    <message>
        <source>only for accelerators without DeepSpeed</source>
        <translation>仅用于不含 DeepSpeed 的加速器</translation>
    </message>
    <message>
        <source>only for accelerators without DeepSpeed, FSDP and Megatron-LM</source>
        <translation>仅用于不含 DeepSpeed、FSDP 和 Megatron-LM 的加速器</translation>
    </message>
    <message>
        <source>only for many CPUs</source>
        <translation>仅用于多个 CPU</translation>
    </message>
    <message>
        <source>only for many GPUs without DeepSpeed and FSDP</source>
        <translation>仅用于不含 DeepSpeed 和 FSDP 的多个 GPU</translation>
    </message>
    <message>
        <source>only when gradients are clipped</source>
        <translation>仅当裁剪梯度时</translation>
    </message>
    <message>
        <source>only when optimizer states go to NVMe</source>
        <translation>仅当优化器状态存到 NVMe 时</translation>
    </message>
    <message>
        <source>only when parameters go to NVMe</source>
        <translation>仅当参数存到 NVMe 时</translation>
    </message>
    <message>
        <source>only when signing in with a profile</source>
        <translation>仅当以配置文件登录时</translation>
    </message>
    <message>
        <source>only when some matrix products run in higher precision</source>
        <translation>仅当部分矩阵乘法以更高精度运行时</translation>
    </message>
    <message>
        <source>only when the layer classes are named</source>
        <translation>仅当指定层的类时</translation>
    </message>
    <message>
        <source>only when the machines are in different networks</source>
        <translation>仅当机器位于不同网络时</translation>
    </message>
    <message>
        <source>only when the model is cut by layer class</source>
        <translation>仅当模型按层的类切分时</translation>
    </message>
    <message>
        <source>only when the model is cut by size</source>
        <translation>仅当模型按大小切分时</translation>
    </message>
    <message>
        <source>only when wanted</source>
        <translation>仅在需要时</translation>
    </message>
    <message>
        <source>only with DeepSpeed</source>
        <translation>仅限 DeepSpeed</translation>
    </message>
    <message>
        <source>only with DeepSpeed and without a DeepSpeed file</source>
        <translation>仅限 DeepSpeed 且没有 DeepSpeed 文件</translation>
    </message>
    <message>
        <source>only with FSDP</source>
        <translation>仅限 FSDP</translation>
    </message>
    <message>
        <source>only with FSDP version 1</source>
        <translation>仅限 FSDP 版本 1</translation>
    </message>
    <message>
        <source>only with FSDP version 2</source>
        <translation>仅限 FSDP 版本 2</translation>
    </message>
    <message>
        <source>only with Megatron-LM</source>
        <translation>仅限 Megatron-LM</translation>
    </message>
    <message>
        <source>only with a DeepSpeed file</source>
        <translation>仅限使用 DeepSpeed 文件</translation>
    </message>
    <message>
        <source>only with a mesh of parallel dimensions</source>
        <translation>仅限并行维度的设备网格</translation>
    </message>
    <message>
        <source>only with compile defaults of your own</source>
        <translation>仅限自定义编译选项</translation>
    </message>
    <message>
        <source>only with context parallelism</source>
        <translation>仅限上下文并行</translation>
    </message>
    <message>
        <source>only with mixed precision fp8</source>
        <translation>仅限混合精度 fp8</translation>
    </message>
    <message>
        <source>only with more than one machine</source>
        <translation>仅当多于一台机器时</translation>
    </message>
    <message>
        <source>only with mpirun</source>
        <translation>仅限 mpirun</translation>
    </message>
    <message>
        <source>only with pipeline parallelism</source>
        <translation>仅限流水线并行</translation>
    </message>
    <message>
        <source>only with start-up commands</source>
        <translation>仅限使用启动命令</translation>
    </message>
    <message>
        <source>only with start-up commands given here</source>
        <translation>仅限在此给出启动命令</translation>
    </message>
    <message>
        <source>only with start-up commands in a script</source>
        <translation>仅限脚本中的启动命令</translation>
    </message>
    <message>
        <source>only with tensor parallelism</source>
        <translation>仅限张量并行</translation>
    </message>
    <message>
        <source>only with torch.compile</source>
        <translation>仅限 torch.compile</translation>
    </message>
    <message>
        <source>optimizer states</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>optimizer states and gradients</source>
        <translation>优化器状态和梯度</translation>
    </message>
    <message>
        <source>optimizer states, gradients and weights</source>
        <translation>优化器状态、梯度和权重</translation>
    </message>
    <message>
        <source>parallel ssh</source>
        <translation>并行 ssh</translation>
    </message>
    <message>
        <source>parallelism_config_cp_size is above 1</source>
        <translation>parallelism_config_cp_size 大于 1</translation>
    </message>
    <message>
        <source>parallelism_config_sp_size is above 1</source>
        <translation>parallelism_config_sp_size 大于 1</translation>
    </message>
    <message>
        <source>range of float32; recent hardware</source>
        <translation>float32 的范围；较新的硬件</translation>
    </message>
    <message>
        <source>sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub</source>
        <translation>sdpa、flash_attention_2、flash_attention_3 或 hub 上的 flash-attn 内核</translation>
    </message>
    <message>
        <source>several processes without accelerator</source>
        <translation>没有加速器的多个进程</translation>
    </message>
    <message>
        <source>slower, saves GPU memory</source>
        <translation>较慢，节省 GPU 显存</translation>
    </message>
    <message>
        <source>slowest, largest</source>
        <translation>最慢，容量最大</translation>
    </message>
    <message>
        <source>small batches</source>
        <translation>小批次</translation>
    </message>
    <message>
        <source>stays on the GPU</source>
        <translation>留在 GPU 上</translation>
    </message>
    <message>
        <source>sudo</source>
        <translation>sudo</translation>
    </message>
    <message>
        <source>the DeepSpeed file or the TPU decides</source>
        <translation>由 DeepSpeed 文件或 TPU 决定</translation>
    </message>
    <message>
        <source>the name `accelerate config` gives it</source>
        <translation>`accelerate config` 给它的名称</translation>
    </message>
    <message>
        <source>the older one</source>
        <translation>较旧的一种</translation>
    </message>
    <message>
        <source>the same command on each machine</source>
        <translation>每台机器上运行相同命令</translation>
    </message>
    <message>
        <source>there are several machines and the launcher is not `standard`</source>
        <translation>有多台机器且启动器不为 `standard`</translation>
    </message>
    <message>
        <source>there is no deepspeed_config_file</source>
        <translation>没有 deepspeed_config_file</translation>
    </message>
    <message>
        <source>torch.compile&apos;s own default</source>
        <translation>torch.compile 自己的默认值</translation>
    </message>
    <message>
        <source>torchao</source>
        <translation>torchao</translation>
    </message>
    <message>
        <source>units of so many parameters</source>
        <translation>参数量为此值的单元</translation>
    </message>
    <message>
        <source>weights stay whole in between</source>
        <translation>其间权重保持完整</translation>
    </message>
    <message>
        <source>weights, gradients and optimizer states</source>
        <translation>权重、梯度和优化器状态</translation>
    </message>
    <message>
        <source>without ssh; DeepSpeed 0.14.5 or newer</source>
        <translation>不用 ssh；DeepSpeed 0.14.5 或更新版本</translation>
    </message>
    <message>
        <source>zero.Init</source>
        <translation>zero.Init</translation>
    </message>
    <message>
        <source>zero_stage is 1 to 3</source>
        <translation>zero_stage 为 1 到 3</translation>
    </message>
    <message>
        <source>zero_stage is 3</source>
        <translation>zero_stage 为 3</translation>
    </message>
    <message>
        <source>Added to the denominator of the optimizers that have one.</source>
        <translation>加到相应优化器的分母上。</translation>
    </message>
    <message>
        <source>Added to the mean square in norms.</source>
        <translation>在归一化中加到均方上。</translation>
    </message>
    <message>
        <source>Added to the variance in layer norms.</source>
        <translation>在层归一化中加到方差上。</translation>
    </message>
    <message>
        <source>Adds the loss that keeps the experts equally busy.</source>
        <translation>加入使各专家负载均衡的损失。</translation>
    </message>
    <message>
        <source>Attention and feed-forward read the same stream.</source>
        <translation>注意力和前馈读取同一数据流。</translation>
    </message>
    <message>
        <source>Attention heads of each block.</source>
        <translation>每个块的注意力头数。</translation>
    </message>
    <message>
        <source>Attention of each block: a list of full_attention and sliding_attention; empty: the usual one.</source>
        <translation>每个块的注意力：由 full_attention 和 sliding_attention 组成的列表；留空则为常用值。</translation>
    </message>
    <message>
        <source>Attention scores are divided by its square root.</source>
        <translation>注意力分数除以其平方根。</translation>
    </message>
    <message>
        <source>Attention scores stay within this number of 0; 0: not limited.</source>
        <translation>注意力分数的绝对值不超过此数；0：不限制。</translation>
    </message>
    <message>
        <source>Blocks from max_window_layers on have a window.</source>
        <translation>从 max_window_layers 起的块使用窗口。</translation>
    </message>
    <message>
        <source>Blocks of the decoder; 0: as many as the encoder&apos;s.</source>
        <translation>解码器的块数；0：与编码器相同。</translation>
    </message>
    <message>
        <source>Blocks of the encoder.</source>
        <translation>编码器的块数。</translation>
    </message>
    <message>
        <source>Channels behind the first convolution.</source>
        <translation>第一个卷积之后的通道数。</translation>
    </message>
    <message>
        <source>Channels of each stage: a list.</source>
        <translation>每个阶段的通道数：列表。</translation>
    </message>
    <message>
        <source>Classes of distances between positions.</source>
        <translation>位置间距离的类别数。</translation>
    </message>
    <message>
        <source>Classes; 1: a number is learnt (regression).</source>
        <translation>类别数；1：学习一个数值（回归）。</translation>
    </message>
    <message>
        <source>Colours of an image.</source>
        <translation>图像的颜色通道数。</translation>
    </message>
    <message>
        <source>Distance from which on all are of one class.</source>
        <translation>从此距离起全部归为一类。</translation>
    </message>
    <message>
        <source>Dropout before the classifier; -1: as between layers.</source>
        <translation>分类器之前的 dropout；-1：与层间相同。</translation>
    </message>
    <message>
        <source>Dropout behind attention and feed-forward.</source>
        <translation>注意力和前馈之后的 dropout。</translation>
    </message>
    <message>
        <source>Dropout of all layers and of attention weights.</source>
        <translation>所有层及注意力权重的 dropout。</translation>
    </message>
    <message>
        <source>Dropout of embeddings, and behind attention and feed-forward.</source>
        <translation>嵌入以及注意力和前馈之后的 dropout。</translation>
    </message>
    <message>
        <source>Dropout of embeddings, attention&apos;s output and feed-forward.</source>
        <translation>嵌入、注意力输出和前馈的 dropout。</translation>
    </message>
    <message>
        <source>Dropout of the attention weights.</source>
        <translation>注意力权重的 dropout。</translation>
    </message>
    <message>
        <source>Dropout of the embeddings.</source>
        <translation>嵌入的 dropout。</translation>
    </message>
    <message>
        <source>Experts of each block.</source>
        <translation>每个块的专家数。</translation>
    </message>
    <message>
        <source>Experts that compute a token.</source>
        <translation>计算一个 token 的专家数。</translation>
    </message>
    <message>
        <source>Factor of the initial weights.</source>
        <translation>初始权重的系数。</translation>
    </message>
    <message>
        <source>Factor of the loss that keeps the experts equally busy.</source>
        <translation>使各专家负载均衡的损失的系数。</translation>
    </message>
    <message>
        <source>First block with a sliding window.</source>
        <translation>第一个使用滑动窗口的块。</translation>
    </message>
    <message>
        <source>Function of the feed-forward layers, by its name in transformers.</source>
        <translation>前馈层的函数，用 transformers 中的名称。</translation>
    </message>
    <message>
        <source>Function of the feed-forward layers, such as relu; gated-gelu: with a gate, as T5 1.1.</source>
        <translation>前馈层的函数，例如 relu；gated-gelu：带门控，如 T5 1.1。</translation>
    </message>
    <message>
        <source>Function of the feed-forward layers.</source>
        <translation>前馈层的函数。</translation>
    </message>
    <message>
        <source>Heads of keys and values, which groups of attention heads share; 0: as many as heads.</source>
        <translation>由注意力头分组共享的 key 和 value 头数；0：与头数相同。</translation>
    </message>
    <message>
        <source>Hidden states are divided by the square root of d_model before the head.</source>
        <translation>隐藏状态在输出头之前除以 d_model 的平方根。</translation>
    </message>
    <message>
        <source>Highest learning rate.</source>
        <translation>最高学习率。</translation>
    </message>
    <message>
        <source>Keys that a query can see, its own included; 0: all before it.</source>
        <translation>一个 query 可见的 key 数，含自身；0：之前的全部。</translation>
    </message>
    <message>
        <source>Kinds of segments, such as first and second text.</source>
        <translation>片段的种类数，例如第一段和第二段文本。</translation>
    </message>
    <message>
        <source>Layers of each stage: a list.</source>
        <translation>每个阶段的层数：列表。</translation>
    </message>
    <message>
        <source>Linear layers have biases.</source>
        <translation>线性层带偏置。</translation>
    </message>
    <message>
        <source>Logits stay within this number of 0; 0: not limited.</source>
        <translation>logits 的绝对值不超过此数；0：不限制。</translation>
    </message>
    <message>
        <source>Longest sequence the model can take, in tokens.</source>
        <translation>模型可接受的最长序列，以 token 计。</translation>
    </message>
    <message>
        <source>Losses that a new one is compared with.</source>
        <translation>与新损失比较的损失个数。</translation>
    </message>
    <message>
        <source>Names of the classes, e.g. {0: negative, 1: positive}.</source>
        <translation>类别的名称，例如 {0: negative, 1: positive}。</translation>
    </message>
    <message>
        <source>Norms are before attention and feed-forward; no: behind the residual sums.</source>
        <translation>归一化位于注意力和前馈之前；否：位于残差和之后。</translation>
    </message>
    <message>
        <source>Number format in which the hook works.</source>
        <translation>hook 使用的数值格式。</translation>
    </message>
    <message>
        <source>Number of transformer blocks.</source>
        <translation>transformer 块的数量。</translation>
    </message>
    <message>
        <source>Optimizer; names of torch and transformers, too.</source>
        <translation>优化器；也可用 torch 和 transformers 的名称。</translation>
    </message>
    <message>
        <source>Pixels of either side of a patch.</source>
        <translation>patch 每边的像素数。</translation>
    </message>
    <message>
        <source>Pixels of either side of an image.</source>
        <translation>图像每边的像素数。</translation>
    </message>
    <message>
        <source>Queries, keys and values have biases.</source>
        <translation>query、key 和 value 带偏置。</translation>
    </message>
    <message>
        <source>Rotary positions: {rope_type: default, rope_theta: 10000.0}; other types are linear, dynamic, yarn, llama3 and longrope, with their parameters.</source>
        <translation>旋转位置：{rope_type: default, rope_theta: 10000.0}；其他类型为 linear、dynamic、yarn、llama3 和 longrope，各有其参数。</translation>
    </message>
    <message>
        <source>Standard deviation of the initial weights.</source>
        <translation>初始权重的标准差。</translation>
    </message>
    <message>
        <source>The feed-forward layers have biases.</source>
        <translation>前馈层带偏置。</translation>
    </message>
    <message>
        <source>The first convolution of a bottleneck halves the image, not the second.</source>
        <translation>由 bottleneck 的第一个卷积将图像减半，而不是第二个。</translation>
    </message>
    <message>
        <source>The first stage halves the image, too.</source>
        <translation>第一个阶段也将图像减半。</translation>
    </message>
    <message>
        <source>The projections of attention have biases.</source>
        <translation>注意力的投影带偏置。</translation>
    </message>
    <message>
        <source>Token that begins what is written.</source>
        <translation>生成文本开头的 token。</translation>
    </message>
    <message>
        <source>Weight decay, the way the optimizer has it: decoupled with adamw, a part of the gradient with sgd.</source>
        <translation>权重衰减，按优化器的方式：adamw 为解耦，sgd 为梯度的一部分。</translation>
    </message>
    <message>
        <source>Width inside the feed-forward layers.</source>
        <translation>前馈层内部的宽度。</translation>
    </message>
    <message>
        <source>Width of a head.</source>
        <translation>一个头的宽度。</translation>
    </message>
    <message>
        <source>Width of a head; 0: hidden_size / num_attention_heads.</source>
        <translation>一个头的宽度；0：hidden_size / num_attention_heads。</translation>
    </message>
    <message>
        <source>Width of the hidden states.</source>
        <translation>隐藏状态的宽度。</translation>
    </message>
    <message>
        <source>Width of the token table; 0: hidden_size.</source>
        <translation>token 表的宽度；0：hidden_size。</translation>
    </message>
    <message>
        <source>basic: two convolutions a layer; bottleneck: three.</source>
        <translation>basic：每层两个卷积；bottleneck：三个。</translation>
    </message>
    <message>
        <source>single_label_classification, multi_label_classification or regression; empty: as num_labels says.</source>
        <translation>single_label_classification、multi_label_classification 或 regression；留空则按 num_labels。</translation>
    </message>
    <message>
        <source>Name that a plug-in of `plugins` has for its model.</source>
        <translation>`plugins` 中的插件为其模型所取的名称。</translation>
    </message>
    <message>
        <source>What the plug-in makes the model with: a table.</source>
        <translation>插件创建模型时使用的参数：一个表。</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Data readable</source>
        <translation>数据可读</translation>
    </message>
    <message>
        <source>Disk for checkpoints</source>
        <translation>checkpoint 的磁盘空间</translation>
    </message>
    <message>
        <source>Disk for logs</source>
        <translation>日志的磁盘空间</translation>
    </message>
    <message>
        <source>Driver and CUDA</source>
        <translation>驱动和 CUDA</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Folder for runs</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>GPUs free</source>
        <translation>空闲 GPU</translation>
    </message>
    <message>
        <source>Host key</source>
        <translation>主机密钥</translation>
    </message>
    <message>
        <source>Memory fits</source>
        <translation>内存足够</translation>
    </message>
    <message>
        <source>Network between hosts</source>
        <translation>主机间网络</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>输出文件夹</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Reach and log in</source>
        <translation>连接并登录</translation>
    </message>
    <message>
        <source>Rendezvous port</source>
        <translation>rendezvous 端口</translation>
    </message>
    <message>
        <source>Script readable</source>
        <translation>脚本可读</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>allocator</source>
        <translation>分配器</translation>
    </message>
    <message>
        <source>averaged weights</source>
        <translation>平均权重</translation>
    </message>
    <message>
        <source>checkpoint being written</source>
        <translation>正在写入的 checkpoint</translation>
    </message>
    <message>
        <source>communication buffers</source>
        <translation>通信缓冲区</translation>
    </message>
    <message>
        <source>copies for products</source>
        <translation>用于乘积的副本</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>import torch</source>
        <translation>import torch</translation>
    </message>
    <message>
        <source>logits and loss</source>
        <translation>logits 和损失</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets</name>
    <message>
        <source>time (s)</source>
        <translation>时间 (s)</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>epoch</translation>
    </message>
    <message>
        <source>seconds since 1970</source>
        <translation>自 1970 年起的秒数</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>%1 was not written: %2</source>
        <translation>%1 未写入：%2</translation>
    </message>
    <message>
        <source># more than %1 points: export as CSV</source>
        <translation># 超过 %1 个点：请导出为 CSV</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Vector picture (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Document (*.pdf)</source>
        <translation>文档 (*.pdf)</translation>
    </message>
    <message>
        <source>All values (*.csv)</source>
        <translation>所有值 (*.csv)</translation>
    </message>
    <message>
        <source>pgfplots (*.tex)</source>
        <translation>pgfplots (*.tex)</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>未导出</translation>
    </message>
    <message>
        <source>The name %1 has no extension that says which format to write: use .png, .svg, .pdf, .csv or .tex.</source>
        <translation>名称 %1 没有可表明写入格式的扩展名：请使用 .png、.svg、.pdf、.csv 或 .tex。</translation>
    </message>
    <message>
        <source>%1 names no ranks: write 0 to %2, as in 0, 3-5.</source>
        <translation>%1 没有指明任何 rank：请写 0 到 %2，例如 0, 3-5。</translation>
    </message>
    <message>
        <source>%1 is not a regular expression: %2 at character %3</source>
        <translation>%1 不是正则表达式：%2，位于第 %3 个字符</translation>
    </message>
    <message>
        <source> tok</source>
        <translation> tok</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <comment>format of a date</comment>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a date</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>format of a date</comment>
        <translation>M月d日 HH:mm</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>a share in per cent</comment>
        <translation>%1%</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ChartLegend</name>
    <message>
        <source>Curves of %1</source>
        <translation>%1 的曲线</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, shown</source>
        <translation>%1，已显示</translation>
    </message>
    <message>
        <source>%1, hidden</source>
        <translation>%1，已隐藏</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ChartOverlay</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::CurveChart</name>
    <message>
        <source>Go to</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>place on the axis</source>
        <translation>轴上的位置</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合窗口</translation>
    </message>
    <message>
        <source>Previous zoom</source>
        <translation>上一个缩放</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>对数纵轴</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>对数横轴</translation>
    </message>
    <message>
        <source>Bands of the raw values</source>
        <translation>原始值的区间带</translation>
    </message>
    <message>
        <source>Leave out outliers</source>
        <translation>忽略离群值</translation>
    </message>
    <message>
        <source>Moving average</source>
        <translation>移动平均</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Best so far: lowest</source>
        <translation>迄今最佳：最低</translation>
    </message>
    <message>
        <source>Best so far: highest</source>
        <translation>迄今最佳：最高</translation>
    </message>
    <message>
        <source>No smoothing</source>
        <translation>不平滑</translation>
    </message>
    <message>
        <source>Copy picture and values</source>
        <translation>复制图片和值</translation>
    </message>
    <message>
        <source>Copy as pgfplots</source>
        <translation>复制为 pgfplots</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>显示为表格</translation>
    </message>
    <message>
        <source>Add a note here…</source>
        <translation>在此处添加备注…</translation>
    </message>
    <message>
        <source>Pin here</source>
        <translation>固定在此处</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>and %1 more curves</source>
        <translation>另有 %1 条曲线</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>values %1 to %2</source>
        <translation>值 %1 到 %2</translation>
    </message>
    <message>
        <source>%1 (at %2)</source>
        <translation>%1（位于 %2）</translation>
    </message>
    <message>
        <source>%1 (Δ %2)</source>
        <translation>%1（Δ %2）</translation>
    </message>
    <message>
        <source>%1 · best</source>
        <translation>%1 · 最佳</translation>
    </message>
    <message>
        <source>%1 · smoothed</source>
        <translation>%1 · 平滑</translation>
    </message>
    <message>
        <source>%1 · raw min – max</source>
        <translation>%1 · 原始最小值 – 最大值</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1 · raw</source>
        <translation>%1 · 原始</translation>
    </message>
    <message>
        <source>Δ %1 steps</source>
        <translation>Δ %1 步</translation>
    </message>
    <message>
        <source>smoothing, %1 % done</source>
        <translation>正在平滑，已完成 %1 %</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>超过 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln points above</source>
        <translation>
            <numerusform>上方有 %Ln 个点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points below</source>
        <translation>
            <numerusform>下方有 %Ln 个点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln values not above zero are not on the log axis</source>
        <translation>
            <numerusform>%Ln 个不大于零的值未显示在对数轴上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points at or before 0 are not on the log axis</source>
        <translation>
            <numerusform>%Ln 个位于 0 或之前的点未显示在对数轴上</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::DistributionView</name>
    <message>
        <source>minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::HeatStrip</name>
    <message>
        <source>%1, %2: lowest %3, median %4, highest %5</source>
        <translation>%1，%2：最低 %3，中位数 %4，最高 %5</translation>
    </message>
    <message>
        <source>%1 on %2, %3: %4</source>
        <translation>%2 上的 %1，%3：%4</translation>
    </message>
    <message>
        <source>, %1 × the median</source>
        <translation>，中位数的 %1 倍</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::HistogramView</name>
    <message>
        <source>no histograms</source>
        <translation>没有直方图</translation>
    </message>
    <message numerus="yes">
        <source>%n histograms, values %1 to %2</source>
        <translation>
            <numerusform>%n 个直方图，值 %1 到 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>No histograms yet</source>
        <translation>尚无直方图</translation>
    </message>
    <message>
        <source>%1 of %2 histograms are drawn</source>
        <translation>已绘制 %1 / %2 个直方图</translation>
    </message>
    <message>
        <source>%1 · %2 values from %3 to %4 · %5 in all</source>
        <translation>%1 · %2 个值，从 %3 到 %4 · 共 %5</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::InlineMessage</name>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::LogView</name>
    <message>
        <source>1 new line ↓</source>
        <translation>1 行新内容 ↓</translation>
    </message>
    <message>
        <source>%1 new lines ↓</source>
        <translation>%1 行新内容 ↓</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::NavButton</name>
    <message numerus="yes">
        <source>, %n unread</source>
        <translation>
            <numerusform>，%n 条未读</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ParallelCoordinates</name>
    <message numerus="yes">
        <source>%n runs, %1 columns, %2 runs inside all ranges</source>
        <translation>
            <numerusform>%n 个运行，%1 列，%2 个运行在所有范围内</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::PictureView</name>
    <message>
        <source>The picture of step %1 in %2 cannot be shown: %3.</source>
        <translation>%2 中第 %1 步的图片无法显示：%3。</translation>
    </message>
    <message>
        <source>it has %1 bytes, the limit is %2</source>
        <translation>其大小为 %1 字节，上限为 %2</translation>
    </message>
    <message>
        <source>the file ends inside of it</source>
        <translation>文件在图片中间结束</translation>
    </message>
    <message>
        <source>it is no PNG, JPEG, GIF, BMP or WebP</source>
        <translation>它不是 PNG、JPEG、GIF、BMP 或 WebP</translation>
    </message>
    <message>
        <source>it has %1 x %2 pixels</source>
        <translation>其尺寸为 %1 x %2 像素</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>尚无图片</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1, %2 x %3 pixels</source>
        <translation>第 %1 步，%2 x %3 像素</translation>
    </message>
    <message>
        <source>Pause the picture (Space)</source>
        <translation>暂停图片 (Space)</translation>
    </message>
    <message>
        <source>Play the pictures (Space)</source>
        <translation>播放图片 (Space)</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::PlotCanvas</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ScatterPlot</name>
    <message numerus="yes">
        <source>%n runs, %1 against %2</source>
        <translation>
            <numerusform>%n 个运行，%1 与 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>without a place here: %1</source>
        <translation>此处无位置：%1</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4 %5</source>
        <translation>%1：%2 %3，%4 %5</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::SweepPlot</name>
    <message>
        <source>No runs with these values</source>
        <translation>没有具有这些值的运行</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::TextView</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>No text yet</source>
        <translation>尚无文本</translation>
    </message>
    <message>
        <source>link copied</source>
        <translation>链接已复制</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 · cut</source>
        <translation>%1 · 已截断</translation>
    </message>
    <message>
        <source>The text is longer than what is kept of it.</source>
        <translation>该文本超出了可保留的长度。</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::TimelineView</name>
    <message>
        <source>%1 selected</source>
        <translation>已选择 %1</translation>
    </message>
    <message>
        <source>%1 between the marks</source>
        <translation>标记之间为 %1</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ValueTable</name>
    <message>
        <source>%1: values</source>
        <translation>%1：值</translation>
    </message>
    <message numerus="yes">
        <source>%n steps in sight</source>
        <translation>
            <numerusform>可见范围内有 %n 步</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n steps in sight; the rest is in an export as CSV</source>
        <translation>
            <numerusform>可见范围内的前 %n 步；其余可在导出的 CSV 中查看</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ValueTableModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
</TS>
